import { openPlainScan } from '../src/record/store/vector-rows.ts'
import { openVectorScan } from '../src/retrieval/vectors/index.ts'
import { describeVectorScan } from './contract/vector-scan.contract.ts'

describeVectorScan('WebAssembly', (dimensions) => openVectorScan(dimensions))
describeVectorScan('the same without SIMD', (dimensions) => openVectorScan(dimensions, { plain: true }))
describeVectorScan('plain JavaScript, for records', openPlainScan)
