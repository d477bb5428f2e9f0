import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { languageOfFile } from '../core/chunking/code-files.ts'
import type { CodeOutline } from '../core/chunking/code-outline.ts'
import { redactSecrets } from '../core/secrets/redact.ts'
import type { CodeParser } from '../ports/code-parser.ts'
import type { Documents } from '../ports/documents.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import { indexBatch, type Counts, type FileToIndex } from './index-batch.ts'
import type { WorkerModules } from './index-worker.ts'

/** The outline of a source file; undefined for what has none, which is then cut as plain lines. */
export type OutlineCode = (text: string, path: string) => Promise<CodeOutline | undefined>

export interface IndexParts {
  readonly documents: Documents
  readonly index: SearchIndex
  readonly outlineCode: OutlineCode
}

// A batch is one transaction and what a thread holds in memory at a time.
const BATCH_BYTES = 3 * 1024 * 1024
const BATCH_FILES = 2_000
// Below this a worker takes longer to start than the work itself.
const WORTH_A_WORKER = 4 * 1024 * 1024
const WORKERS = 2
// A garbage collector with much room lets much lie about.
const WORKER_MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 }
const CODE_AT_ONCE = 100

/** Puts files into the index, batch by batch, and says what became of each batch, in no particular order. */
export async function* indexFiles(parts: IndexParts, all: readonly FileToIndex[]): AsyncGenerator<Counts> {
  const { documents, index } = parts
  const code = all.filter(({ place }) => place.origin === 'code')
  for (let at = 0; at < code.length; at += CODE_AT_ONCE) yield await indexCode(parts, code.slice(at, at + CODE_AT_ONCE))
  const files = all.filter(({ place }) => place.origin !== 'code')
  const bytes = files.reduce((sum, { place }) => sum + place.size, 0)
  const batches = inBatches(files)
  if (index.elsewhere !== undefined && bytes >= WORTH_A_WORKER)
    return yield* inWorkers(parts, { documents: documents.module, index: index.elsewhere }, batches)
  for (const batch of batches) {
    yield await indexBatch(parts, batch)
    await setImmediate()
  }
}

export function outlineWith(parser: () => Promise<CodeParser>): OutlineCode {
  return async (text, path) => {
    const language = languageOfFile(path)
    return language === undefined ? undefined : (await parser()).parse(text, language)
  }
}

/** The parser lives on this thread and gives way to other work between files. */
async function indexCode(parts: IndexParts, files: readonly FileToIndex[]): Promise<Counts> {
  const outlines = new Map<string, CodeOutline | undefined>()
  for (const { path } of files.map(({ place }) => place)) {
    const read = parts.documents.contents(path)
    if (read !== undefined && 'text' in read)
      outlines.set(path, await parts.outlineCode(redactSecrets(read.text).text, path))
  }
  return indexBatch(parts, files, (_text, path) => outlines.get(path))
}

function inBatches(files: readonly FileToIndex[]): FileToIndex[][] {
  const batches: FileToIndex[][] = []
  let bytes = Infinity
  for (const file of files) {
    const last = batches.at(-1)
    if (last === undefined || bytes + file.place.size > BATCH_BYTES || last.length >= BATCH_FILES) {
      batches.push([file])
      bytes = file.place.size
    } else {
      last.push(file)
      bytes += file.place.size
    }
  }
  return batches
}

/** Each worker writes what it has read itself: handing it over would cost as much memory and time again. */
async function* inWorkers(
  parts: IndexParts,
  modules: WorkerModules,
  batches: readonly FileToIndex[][],
): AsyncGenerator<Counts> {
  const workers = new Set<Worker>()
  const todo = batches.values()
  const running = new Set<Promise<Running>>()
  const start = (idle?: Worker) => {
    const { value: batch } = todo.next()
    if (batch === undefined) return
    const worker = idle ?? openWorker(modules)
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
        yield await indexBatch(parts, batch)
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
  readonly batch: readonly FileToIndex[]
  readonly counts: Counts | 'stopped'
  readonly answer: Promise<Running>
}

function openWorker(modules: WorkerModules): Worker {
  const file = new URL(`./index-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
  return new Worker(file, { workerData: modules, resourceLimits: WORKER_MEMORY })
}

function answerOf(worker: Worker, files: readonly FileToIndex[]): Promise<Counts | 'stopped'> {
  const { promise, resolve, reject } = Promise.withResolvers<Counts | 'stopped'>()
  // Whatever stopped it: a batch that fails here too fails with an error that kept its kind, which none does on its way
  // between threads.
  const onError = () => resolve('stopped')
  const onExit = (code: number) => reject(new Error(`an indexing worker ended with ${code}`))
  worker.on('message', resolve)
  worker.on('error', onError)
  worker.on('exit', onExit)
  worker.postMessage(files, [])
  return promise.finally(() => {
    // Taken off by name: without its own listeners a worker never hears again.
    worker.off('message', resolve)
    worker.off('error', onError)
    worker.off('exit', onExit)
  })
}
