import { parentPort } from 'node:worker_threads'
import { prepareBatch, type Candidate } from './prepare-batch.ts'

parentPort!.on('message', (candidates: readonly Candidate[]) => {
  const batch = prepareBatch(candidates)
  parentPort!.postMessage(batch, [batch.postings.starts.buffer as ArrayBuffer, batch.postings.entries.buffer as ArrayBuffer])
})
