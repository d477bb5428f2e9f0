import { parentPort, workerData } from 'node:worker_threads'
import type { IndexElsewhere, OpenWriter } from '../ports/search-index.ts'
import { indexBatch } from './index-batch.ts'
import type { Candidate } from './prepare-batch.ts'

const { module, path } = workerData as IndexElsewhere
const { openWriter } = (await import(module)) as { openWriter: OpenWriter }
const index = openWriter(path)

parentPort!.on(
  'message',
  (candidates: readonly Candidate[]) =>
    void indexBatch(index, candidates).then((counts) => parentPort!.postMessage(counts, [])),
)
