import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { CodeOutline } from '../../core/search/code-outline.ts'
import type { CutCode } from './cut-code.ts'
import { prepareBatch, type Candidate, type PreparedBatch } from './prepare-batch.ts'

// A batch is one transaction and what a worker holds in memory at a time.
const BATCH_BYTES = 6 * 1024 * 1024
const BATCH_FILES = 2_000
// Below this a worker takes longer to start than the work itself.
const WORTH_A_WORKER = 4 * 1024 * 1024
const WORKERS = 2
const CODE_AT_ONCE = 100

/** Prepared batches as they are ready, in no order; at most one waits per worker. */
export async function* prepareAll(all: readonly Candidate[], cutCode: CutCode): AsyncGenerator<PreparedBatch> {
  const code = all.filter(({ place }) => place.origin === 'code')
  for (let at = 0; at < code.length; at += CODE_AT_ONCE) yield await prepareCode(code.slice(at, at + CODE_AT_ONCE), cutCode)
  const candidates = all.filter(({ place }) => place.origin !== 'code')
  const bytes = candidates.reduce((sum, { place }) => sum + place.size, 0)
  const batches = inBatches(candidates)
  if (bytes < WORTH_A_WORKER) {
    for (const batch of batches) {
      yield prepareBatch(batch)
      await setImmediate()
    }
    return
  }
  yield* inWorkers(batches)
}

/** The parser lives on this thread and gives way to other work between files. */
async function prepareCode(candidates: readonly Candidate[], cutCode: CutCode): Promise<PreparedBatch> {
  const outlines = new Map<string, CodeOutline | undefined>()
  for (const { place } of candidates) {
    const text = await readFile(place.path, 'utf8').catch(() => '')
    outlines.set(place.path, await cutCode(text, place.path))
  }
  return prepareBatch(candidates, (_text, path) => outlines.get(path))
}

function inBatches(candidates: readonly Candidate[]): Candidate[][] {
  const batches: Candidate[][] = []
  let bytes = Infinity
  for (const candidate of candidates) {
    const last = batches.at(-1)
    if (last === undefined || bytes + candidate.place.size > BATCH_BYTES || last.length >= BATCH_FILES) {
      batches.push([candidate])
      bytes = candidate.place.size
    } else {
      last.push(candidate)
      bytes += candidate.place.size
    }
  }
  return batches
}

async function* inWorkers(batches: readonly Candidate[][]): AsyncGenerator<PreparedBatch> {
  const file = new URL(`./prepare-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
  const workers = Array.from({ length: Math.min(WORKERS, batches.length) }, () => new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: 24 } }))
  const todo = batches.values()
  const running = new Map<Worker, Promise<{ worker: Worker; batch: PreparedBatch }>>()
  const start = (worker: Worker) => {
    const next = todo.next()
    if (next.done) running.delete(worker)
    else running.set(worker, answerOf(worker, next.value))
  }
  try {
    for (const worker of workers) start(worker)
    while (running.size > 0) {
      const { worker, batch } = await Promise.race(running.values())
      start(worker)
      yield batch
    }
  } finally {
    for (const answer of running.values()) answer.catch(() => undefined)
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

function answerOf(worker: Worker, candidates: readonly Candidate[]): Promise<{ worker: Worker; batch: PreparedBatch }> {
  return new Promise((resolve, reject) => {
    // Taken off by name: without its own listeners a worker never hears again.
    const settle = (act: () => void) => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
      act()
    }
    const onMessage = (batch: PreparedBatch) => settle(() => resolve({ worker, batch }))
    const onError = (error: Error) => settle(() => reject(error))
    const onExit = (code: number) => settle(() => reject(new Error(`an indexing worker ended with ${code}`)))
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    worker.postMessage(candidates, [])
  })
}
