import { Worker } from 'node:worker_threads'
import type { DocumentToEmbed } from './embed-batch.ts'
import type { Counts, FileToIndex } from './index-batch.ts'
import type { WorkerModules } from './index-worker.ts'

/** Request and answer types of a worker thread. */
interface Kinds {
  index: { asked: readonly FileToIndex[]; answer: Counts }
  embed: { asked: readonly DocumentToEmbed[]; answer: number }
}

const THREADS = 2

/**
 * Limits memory: with a large heap, V8 keeps much garbage. But a large file of words that occur once, such as ids,
 * needs many times its size, and V8 ends the whole process if a thread has no room for a single object.
 */
const threadMemory = (largest: number) => ({
  maxYoungGenerationSizeMb: 8,
  maxOldGenerationSizeMb: 128 + Math.ceil((64 * largest) / 1024 ** 2),
})

/**
 * Runs batches on worker threads and yields the result of each, in no particular order. Each thread writes its data
 * itself: passing it back would double memory and time. `here` runs the batches of a stopped thread. `largest`
 * is the size of the largest file in bytes.
 */
export async function* inThreads<K extends keyof Kinds>(
  { largest, ...modules }: WorkerModules & { readonly largest: number },
  kind: K,
  batches: AsyncIterable<Kinds[K]['asked']> | Iterable<Kinds[K]['asked']>,
  here: (batch: Kinds[K]['asked']) => Promise<Kinds[K]['answer']>,
): AsyncGenerator<Kinds[K]['answer']> {
  type Running = { worker: Worker; batch: Kinds[K]['asked']; answer: Kinds[K]['answer'] | 'stopped' }
  const workers = new Set<Worker>()
  const todo = each(batches)
  const running = new Map<Worker, Promise<Running>>()
  const start = async (idle?: Worker): Promise<void> => {
    const { value: batch, done } = await todo.next()
    if (done === true) return
    const worker = idle ?? openWorker(modules, largest)
    workers.add(worker)
    running.set(
      worker,
      answerOf<Kinds[K]['answer']>(worker, { kind, batch }).then((answer) => ({ worker, batch, answer })),
    )
  }
  try {
    for (let i = 0; i < THREADS; i++) await start()
    while (running.size > 0) {
      const { worker, batch, answer } = await Promise.race(running.values())
      running.delete(worker)
      if (answer === 'stopped') {
        await start()
        yield await here(batch)
      } else {
        await start(worker)
        yield answer
      }
    }
  } finally {
    // No thread is stopped in the middle of a transaction.
    await Promise.allSettled(running.values())
    await Promise.all([...workers].map((worker) => worker.terminate()))
  }
}

async function* each<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items
}

function openWorker(modules: WorkerModules, largest: number): Worker {
  const file = new URL(`./index-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
  return new Worker(file, { workerData: modules, resourceLimits: threadMemory(largest) })
}

function answerOf<T>(worker: Worker, asked: { kind: keyof Kinds; batch: unknown }): Promise<T | 'stopped'> {
  const { promise, resolve, reject } = Promise.withResolvers<T | 'stopped'>()
  // Any error counts as stopped: a batch that also fails in this thread throws an error with its type, which is lost
  // between threads.
  const onError = () => resolve('stopped')
  const onExit = (code: number) => reject(new Error(`an indexing worker ended with ${code}`))
  worker.on('message', resolve)
  worker.on('error', onError)
  worker.on('exit', onExit)
  worker.postMessage(asked, [])
  return promise.finally(() => {
    // Removed one by one: without its internal listeners the worker would stop receiving messages.
    worker.off('message', resolve)
    worker.off('error', onError)
    worker.off('exit', onExit)
  })
}
