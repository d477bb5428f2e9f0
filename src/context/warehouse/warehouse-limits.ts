import { AppError } from '../../kernel/domain/errors.ts'
import type { QueryLimits, StopSignal } from '../ports/warehouse.ts'

interface LimitedWork<T> {
  readonly limits: Pick<QueryLimits, 'milliseconds'>
  readonly signal: StopSignal | undefined
  /** Check `isStopped` right before the statement is sent: an earlier stop found nothing to stop. */
  run(isStopped: () => boolean): Promise<T>
  /** Cancels the statement in the engine. */
  stop(): void | Promise<void>
}

// Time that an engine may take to cancel a statement.
const GRACE_MS = 5_000

/** Runs a statement until it times out or the caller stops it; either way it is cancelled in the engine. */
export async function runWithin<T>({ limits, signal, run, stop }: LimitedWork<T>): Promise<T> {
  let stopped: AppError | undefined
  let giveUp: NodeJS.Timeout | undefined
  const { promise: abandoned, reject } = Promise.withResolvers<never>()
  const halt = (reason: AppError): void => {
    if (stopped) return
    stopped = reason
    giveUp = setTimeout(() => reject(reason), GRACE_MS)
    Promise.resolve(stop()).catch(() => reject(reason))
  }
  const onAbort = (): void => halt(stoppedByCaller())
  if (signal?.aborted) throw stoppedByCaller()
  signal?.addEventListener('abort', onAbort)
  const timer = setTimeout(() => halt(outOfTime(limits.milliseconds)), limits.milliseconds)
  try {
    const result = await Promise.race([run(() => stopped !== undefined), abandoned])
    if (stopped) throw stopped
    return result
  } catch (error) {
    throw stopped ?? error
  } finally {
    clearTimeout(timer)
    clearTimeout(giveUp)
    signal?.removeEventListener('abort', onAbort)
  }
}

const outOfTime = (milliseconds: number): AppError =>
  new AppError('unavailable', `the statement ran longer than ${milliseconds} ms and was stopped`, {
    hint: 'Ask for less: a narrower WHERE, fewer joins, or a higher time limit.',
    details: { reason: 'timeout' },
  })

const stoppedByCaller = (): AppError => new AppError('stopped', 'the statement was stopped')

interface Refused {
  readonly secrets?: readonly (string | undefined)[]
  /** `statement` only if the engine failed before it read a row: then the message cannot contain a value. */
  readonly about?: 'statement' | 'data'
}

/** Engine's error for a statement it rejected or aborted. */
export const refusedByEngine = (error: unknown, { secrets = [], about = 'data' }: Refused = {}): AppError =>
  error instanceof AppError
    ? error
    : new AppError('invalid_input', firstLines(messageOf(error, secrets)), {
        hint: 'Check names and syntax against the table documents.',
        details: { about },
      })

export const unreachable = (what: string, error: unknown, secrets: readonly (string | undefined)[]): AppError =>
  error instanceof AppError
    ? error
    : new AppError('unavailable', `${what} cannot be reached: ${firstLines(messageOf(error, secrets))}`, {
        hint: 'Check the connection in ken.yaml and that the database is running.',
      })

/** Drivers quote addresses and options in their errors; secrets in them are redacted. */
function messageOf(error: unknown, secrets: readonly (string | undefined)[]): string {
  const { message, errors, code } = error as { message?: string; errors?: readonly unknown[]; code?: string }
  const text = message || (errors?.length ? messageOf(errors[0], []) : (code ?? String(error)))
  return secrets.reduce<string>((clean, secret) => (secret ? clean.replaceAll(secret, '…') : clean), text)
}

const firstLines = (text: string): string => text.trim().split('\n').slice(0, 6).join('\n').slice(0, 600)
