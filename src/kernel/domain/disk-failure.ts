import { AppError, type ErrorCode } from './errors.ts'

const OWNER = 'Check who owns it and whether you may write there.'
const ROOM = 'Free some space and try again.'
const READ_ONLY = 'Mount it writable, or work in another folder; KEN_HOME names the one for what is your own.'

// Node reports this for a folder with missing parents on a read-only file system.
const NO_FOLDER: Meaning = ['unavailable', 'the folder cannot be made; the file system may be read-only', READ_ONLY]

type Meaning = readonly [ErrorCode, string, string]

// System code, meaning, next step.
const ERRNO: Readonly<Record<string, Meaning>> = {
  EACCES: ['forbidden', 'permission denied', OWNER],
  EPERM: ['forbidden', 'not permitted', OWNER],
  EROFS: ['unavailable', 'the file system is read-only', READ_ONLY],
  ENOSPC: ['unavailable', 'the disk is full', ROOM],
  EDQUOT: ['unavailable', 'your disk quota is used up', ROOM],
  EFBIG: [
    'unavailable',
    'the file would exceed the size limit',
    'Raise the file size limit (ulimit -f) and try again.',
  ],
  EIO: ['unavailable', 'the disk reported a fault', 'Check the disk and try again.'],
  EMFILE: [
    'unavailable',
    'too many files are open',
    'Close other programs, or raise the limit (ulimit -n), and try again.',
  ],
  ENFILE: ['unavailable', 'too many files are open', 'Close other programs and try again.'],
  ENOMEM: ['unavailable', 'there is not enough memory', 'Close other programs and try again.'],
  EBUSY: ['unavailable', 'it is in use', 'Close the program that holds it and try again.'],
  ETXTBSY: ['unavailable', 'it is in use', 'Close the program that holds it and try again.'],
  ENAMETOOLONG: ['invalid_input', 'the name is too long', 'Use a shorter one.'],
  ELOOP: ['forbidden', 'it is a symbolic link, or goes round in a circle', 'Replace the link by a real file.'],
  ENOTDIR: ['damaged', 'a file lies where a folder should be', 'Move that file away.'],
  EISDIR: ['damaged', 'a folder lies where a file should be', 'Move that folder away.'],
  ESTALE: ['unavailable', 'the network file system lost it', 'Try again.'],
}

// Keyed by SQLite's primary result codes.
const SQLITE: Readonly<Record<number, Meaning>> = {
  3: ERRNO['EACCES']!,
  5: ['unavailable', 'another process is writing to it', 'Try again shortly.'],
  6: ['unavailable', 'another process is writing to it', 'Try again shortly.'],
  7: ERRNO['ENOMEM']!,
  8: [
    'unavailable',
    'it may only be read',
    `${OWNER} If the file system is read-only, mount it writable, or name another folder with KEN_HOME.`,
  ],
  10: ['unavailable', 'the disk reported a fault, or is full', 'Free some space, check the disk, and try again.'],
  11: ['damaged', 'the database is damaged', 'Restore it from a backup, or move it away.'],
  13: ERRNO['ENOSPC']!,
  14: [
    'unavailable',
    'the database cannot be opened',
    'Check that its folder can be read and written and that the disk is not full.',
  ],
  22: ['unavailable', 'the file would be too large', 'Free some space and try again.'],
  26: ['damaged', 'it is not a database', 'Restore it from a backup, or move it away.'],
}

/** Readable error for a failure of a disk, a file system or a database file; undefined for any other. */
export function diskFailure(thrown: unknown, doing?: string): AppError | undefined {
  const meaning = meaningOf(thrown)
  if (meaning === undefined) return undefined
  const { path, code, errcode } = thrown as Refusal
  const [kind, means, hint] = meaning
  const subject = doing ?? (typeof path === 'string' && path !== '' ? realName(path) : undefined)
  const message = subject === undefined ? `${means[0]!.toUpperCase()}${means.slice(1)}.` : `${subject}: ${means}.`
  return new AppError(kind, message, {
    hint,
    cause: thrown,
    details: errcode === undefined ? { errno: String(code) } : { sqlite: errcode },
  })
}

/** Final name of a file that is first written under a temporary name. */
const realName = (path: string): string => path.replace(/\.([^/\\]+)\.[0-9a-f]{8,}\.tmp$/, '$1')

/** SQLite's primary result code; undefined if the failure is not SQLite's. */
export function sqliteCode(thrown: unknown): number | undefined {
  const { code, errcode } = (thrown ?? {}) as Refusal
  return code === 'ERR_SQLITE_ERROR' ? (errcode ?? 0) & 0xff : undefined
}

/** Another connection is writing the SQLite database. */
export const isBusy = (thrown: unknown): boolean => sqliteCode(thrown) === 5

interface Refusal {
  readonly code?: unknown
  readonly errcode?: number
  readonly path?: unknown
  readonly syscall?: unknown
}

function meaningOf(thrown: unknown): Meaning | undefined {
  const sqlite = sqliteCode(thrown)
  if (sqlite !== undefined) return SQLITE[sqlite]
  const { code, syscall } = (thrown ?? {}) as Refusal
  if (code === 'ENOENT' && syscall === 'mkdir') return NO_FOLDER
  return typeof code === 'string' && Object.hasOwn(ERRNO, code) ? ERRNO[code] : undefined
}
