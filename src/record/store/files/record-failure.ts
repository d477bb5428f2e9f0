import { diskFailure, isBusy, sqliteCode } from '../../../kernel/domain/disk-failure.ts'
import { AppError } from '../../../kernel/domain/errors.ts'

/** Converts a file system error to an AppError; returns anything else unchanged. */
export function toRecordFailure(error: unknown, doing: string): unknown {
  if (isBusy(error))
    return new AppError('unavailable', `Cannot ${doing}: another process is indexing this record.`, {
      hint: 'Try again shortly.',
      cause: error,
    })
  const code = errnoOf(error)
  if (error instanceof AppError || code === undefined) return error
  return (
    diskFailure(error, `Cannot ${doing}`) ??
    new AppError('unavailable', `Cannot ${doing}: ${code}.`, {
      hint: 'Try again; if it persists, check the file yourself.',
      cause: error,
      details: { errno: code },
    })
  )
}

export const isAbsent = (error: unknown): boolean => errnoOf(error) === 'ENOENT'

/** Any SQLite error except a busy database. */
export const isDatabaseFault = (error: unknown): boolean => sqliteCode(error) !== undefined && !isBusy(error)

/** Node's name of a system error; undefined for numbers and SQLite codes. */
function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
