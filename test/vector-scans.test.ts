import { openPlainScan } from '../src/adapters/store/vector-rows.ts'
import { openVectorScan } from '../src/adapters/vectors/wasm/index.ts'
import { describeVectorScan } from './contract/vector-scan.contract.ts'

describeVectorScan('WebAssembly', (dimensions) => openVectorScan(dimensions))
describeVectorScan('the same without SIMD', (dimensions) => openVectorScan(dimensions, { plain: true }))
describeVectorScan('plain JavaScript, for records', openPlainScan)
