import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { READ_PLAIN } from '../adapters/plain-file.ts'
import type { CodeOutline } from '../core/chunking/code-outline.ts'
import { redactSecrets } from '../core/secrets/redact.ts'
import type { IndexElsewhere, SearchIndex } from '../ports/search-index.ts'
import type { CutCode } from './cut-code.ts'
import { indexBatch, type Counts } from './index-batch.ts'
import type { Candidate } from './prepare-batch.ts'

// A batch is one transaction and what a thread holds in memory at a time.
const BATCH_BYTES = 3 * 1024 * 1024
const BATCH_FILES = 2_000
// Below this a worker takes longer to start than the work itself.
const WORTH_A_WORKER = 4 * 1024 * 1024
const WORKERS = 2
// A garbage collector with much room lets much lie about.
const WORKER_MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 }
const CODE_AT_ONCE = 100

/** Puts files into the index, batch by batch, and tells what became of each batch, in no order. */
export async function* indexAll(
  index: SearchIndex,
  all: readonly Candidate[],
  cutCode: CutCode,
): AsyncGenerator<Counts> {
  const code = all.filter(({ place }) => place.origin === 'code')
  for (let at = 0; at < code.length; at += CODE_AT_ONCE)
    yield await indexCode(index, code.slice(at, at + CODE_AT_ONCE), cutCode)
  const candidates = all.filter(({ place }) => place.origin !== 'code')
  const bytes = candidates.reduce((sum, { place }) => sum + place.size, 0)
  const batches = inBatches(candidates)
  if (index.elsewhere !== undefined && bytes >= WORTH_A_WORKER) return yield* inWorkers(index, index.elsewhere, batches)
  for (const batch of batches) {
    yield await indexBatch(index, batch)
    await setImmediate()
  }
}

/** The parser lives on this thread and gives way to other work between files. */
async function indexCode(index: SearchIndex, candidates: readonly Candidate[], cutCode: CutCode): Promise<Counts> {
  const outlines = new Map<string, CodeOutline | undefined>()
  for (const { place } of candidates) {
    const text = await readFile(place.path, { encoding: 'utf8', flag: READ_PLAIN }).catch(() => '')
    outlines.set(place.path, await cutCode(redactSecrets(text).text, place.path))
  }
  return indexBatch(index, candidates, (_text, path) => outlines.get(path))
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

/** Each worker writes what it has read itself: handing it over would cost as much memory and time again. */
async function* inWorkers(
  index: SearchIndex,
  elsewhere: IndexElsewhere,
  batches: readonly Candidate[][],
): AsyncGenerator<Counts> {
  const workers = new Set<Worker>()
  const todo = batches.values()
  const running = new Set<Promise<Running>>()
  const start = (idle?: Worker) => {
    const { value: batch } = todo.next()
    if (batch === undefined) return
    const worker = idle ?? openWorker(elsewhere)
    workers.add(worker)
    const answer: Promise<Running> = answerOf(worker, batch).then((counts) => ({ worker, batch, counts, answer }))
    running.add(answer)
  }
  try {
    for (let i = 0; i < WORKERS; i++) start()
    while (running.size > 0) {
      const { worker, batch, counts, answer } = await Promise.race(running)
      running.delete(answer)
      if (counts === 'stopped') {
        start()
        yield await indexBatch(index, batch)
      } else {
        start(worker)
        yield counts
      }
    }
  } finally {
    // Nobody is stopped in the middle of a transaction.
    await Promise.allSettled(running)
    await Promise.all([...workers].map((worker) => worker.terminate()))
  }
}

interface Running {
  readonly worker: Worker
  readonly batch: readonly Candidate[]
  readonly counts: Counts | 'stopped'
  readonly answer: Promise<Running>
}

function openWorker(elsewhere: IndexElsewhere): Worker {
  const file = new URL(`./index-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
  return new Worker(file, { workerData: elsewhere, resourceLimits: WORKER_MEMORY })
}

function answerOf(worker: Worker, candidates: readonly Candidate[]): Promise<Counts | 'stopped'> {
  const { promise, resolve, reject } = Promise.withResolvers<Counts | 'stopped'>()
  // Whatever stopped it: a batch that fails here too fails with an error that kept its kind, which none does on its way
  // between threads.
  const onError = () => resolve('stopped')
  const onExit = (code: number) => reject(new Error(`an indexing worker ended with ${code}`))
  worker.on('message', resolve)
  worker.on('error', onError)
  worker.on('exit', onExit)
  worker.postMessage(candidates, [])
  return promise.finally(() => {
    // Taken off by name: without its own listeners a worker never hears again.
    worker.off('message', resolve)
    worker.off('error', onError)
    worker.off('exit', onExit)
  })
}
