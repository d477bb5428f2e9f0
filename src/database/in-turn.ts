import { AppError } from '../kernel/domain/errors.ts'

/** Callers waiting for the same name in this process, in order of arrival. */
export type Queues = Map<string, Promise<unknown>>

/** Runs `work` once earlier callers are done; passes it the remaining wait time. */
export async function inTurn<T>(
  queues: Queues,
  { name, patience }: { readonly name: string; readonly patience: number },
  work: (left: number) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  const before = queues.get(name) ?? Promise.resolve()
  const mine = Promise.withResolvers<void>()
  const last = before.then(() => mine.promise)
  queues.set(name, last)
  try {
    await withinPatience(before, patience)
    return await work(Math.max(1, patience - (performance.now() - began)))
  } finally {
    mine.resolve()
    if (queues.get(name) === last) queues.delete(name)
  }
}

async function withinPatience(before: Promise<unknown>, patience: number): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(notFree()), patience)
  try {
    await Promise.race([before, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

export const notFree = (): AppError =>
  new AppError('unavailable', 'Another change is in progress.', { hint: 'Try again shortly.' })
