import { AppError, type ErrorCode } from '../../core/errors.ts'

const OWNER = 'Check who owns the folder and whether you may write there; reading still works.'

// What the system says, what it means here, what to do.
const FAILURES: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  EACCES: ['forbidden', 'permission denied', OWNER],
  EPERM: ['forbidden', 'not permitted', OWNER],
  EROFS: ['unavailable', 'the file system is read-only', 'Mount it writable, or move the record; reading still works.'],
  ENOSPC: ['unavailable', 'the disk is full', 'Free some space and try again; nothing was changed.'],
  EDQUOT: ['unavailable', 'your disk quota is used up', 'Free some space and try again; nothing was changed.'],
  EFBIG: ['unavailable', 'the file would exceed the size limit', 'Raise the file size limit (ulimit -f) and try again; nothing was changed.'],
  EIO: ['unavailable', 'the disk reported a fault', 'Check the disk; run `ken verify` once it answers again.'],
  EMFILE: ['unavailable', 'too many files are open', 'Close other programs, or raise the limit (ulimit -n), and try again.'],
  ENFILE: ['unavailable', 'too many files are open', 'Close other programs and try again.'],
  EBUSY: ['unavailable', 'the file is in use', 'Close the program that holds it and try again.'],
  ENAMETOOLONG: ['invalid_input', 'the file name is too long', 'Use a shorter name.'],
  ELOOP: ['forbidden', 'it is a symbolic link', 'Replace the link by a real file; the record follows no links.'],
  ENOTDIR: ['damaged', 'a file lies where a folder should be', 'Move that file away.'],
  EISDIR: ['damaged', 'a folder lies where a file should be', 'Move that folder away.'],
}

/** A failure of the file system as an AppError; everything else comes back as it is. */
export function toRecordFailure(error: unknown, doing: string): unknown {
  if (isBusy(error)) return new AppError('unavailable', `Cannot ${doing}: another process is indexing this record.`, { hint: 'Try again in a moment.', cause: error })
  const code = errnoOf(error)
  if (error instanceof AppError || code === undefined) return error
  const [kind, means, hint] = FAILURES[code] ?? ['unavailable', code, 'Try again; if it stays so, look at the file yourself.']
  return new AppError(kind, `Cannot ${doing}: ${means}.`, { hint, cause: error, details: { errno: code } })
}

export const isAbsent = (error: unknown): boolean => errnoOf(error) === 'ENOENT'

/** SQLite could not get at a database that someone else is writing. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === 5

/** Any other fault of an SQLite database. */
export const isDatabaseFault = (error: unknown): boolean => sqliteCode(error) !== undefined && !isBusy(error)

function sqliteCode(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: number }
  return code === 'ERR_SQLITE_ERROR' ? (errcode ?? 0) % 256 : undefined
}

/** Node's name of a system error; numbers and SQLite's own codes are none. */
function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
