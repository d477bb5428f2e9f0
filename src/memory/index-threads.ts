import { Worker } from 'node:worker_threads'
import { orStopped, type StopSignal } from '../kernel/domain/stop.ts'
import type { DocumentToEmbed } from './embed-batch.ts'
import type { Counts, FileToIndex } from './index-batch.ts'
import type { WorkerModules } from './index-worker.ts'
import { closeGate, openGate, type WriteGate } from './write-gate.ts'

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

interface ThreadOptions extends WorkerModules {
  /** Size of the largest file in bytes. */
  readonly largest: number
  readonly signal: StopSignal | undefined
}

/**
 * Runs batches on worker threads and yields the result of each, in no particular order. Each thread writes its data
 * itself: passing it back would double memory and time. `here` runs the batches of a thread that failed. Throws
 * `stopped` as soon as the signal fires: threads are ended in the middle of a file, but not of a transaction.
 */
export async function* inThreads<K extends keyof Kinds>(
  { largest, signal, ...modules }: ThreadOptions,
  kind: K,
  batches: AsyncIterable<Kinds[K]['asked']> | Iterable<Kinds[K]['asked']>,
  here: (batch: Kinds[K]['asked']) => Promise<Kinds[K]['answer']>,
): AsyncGenerator<Kinds[K]['answer']> {
  type Running = { worker: Worker; batch: Kinds[K]['asked']; answer: Kinds[K]['answer'] | 'failed' }
  const workers = new Map<Worker, WriteGate>()
  const todo = each(batches)
  const running = new Map<Worker, Promise<Running>>()
  const start = async (idle?: Worker): Promise<void> => {
    const { value: batch, done: isLast } = await todo.next()
    if (isLast === true) return
    const worker = idle ?? openWorker()
    const done = answerOf<Kinds[K]['answer']>(worker, { kind, batch }).then((answer) => ({ worker, batch, answer }))
    // A thread that is ended has no answer, and no one waits for it.
    done.catch(() => undefined)
    running.set(worker, done)
  }
  try {
    for (let i = 0; i < THREADS; i++) await start()
    while (running.size > 0) {
      const { worker, batch, answer } = await orStopped(Promise.race(running.values()), signal)
      running.delete(worker)
      if (answer === 'failed') {
        await start()
        yield await here(batch)
      } else {
        await start(worker)
        yield answer
      }
    }
  } finally {
    await Promise.all(
      Array.from(workers, async ([worker, gate]) => {
        if (closeGate(gate)) await running.get(worker)?.catch(() => undefined)
        await worker.terminate()
      }),
    )
  }

  function openWorker(): Worker {
    const file = new URL(`./index-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
    const gate = openGate()
    const worker = new Worker(file, { workerData: { ...modules, gate }, resourceLimits: threadMemory(largest) })
    workers.set(worker, gate)
    return worker
  }
}

async function* each<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items
}

function answerOf<T>(worker: Worker, asked: { kind: keyof Kinds; batch: unknown }): Promise<T | 'failed'> {
  const { promise, resolve, reject } = Promise.withResolvers<T | 'failed'>()
  // Any error counts: a batch that also fails in this thread throws an error with its type, which is lost
  // between threads.
  const onError = () => resolve('failed')
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
