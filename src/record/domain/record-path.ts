import { AppError } from '../../kernel/domain/errors.ts'

// Written only by the store: a change to them could rewrite history or hold the lock.
const OWN_FOLDERS = new Set(['.txn', 'journal', 'snapshots'])

/** Returns the path unchanged after checking that it is inside the record. */
export function readablePath(path: string): string {
  const segments = path.split('/')
  if (/[\\\0]|\p{Cs}/u.test(path) || segments.some((s) => s === '' || s === '.' || s === '..')) throw outside(path)
  const [first] = segments
  if (first!.toLowerCase() === '.txn' || first!.toLowerCase() === '.git') throw outside(path)
  return path
}

export function writablePath(path: string): string {
  readablePath(path)
  if (!OWN_FOLDERS.has(path.split('/')[0]!.toLowerCase())) return path
  throw new AppError('forbidden', `${path} is written by the store itself`, {
    hint: 'Change the record through its decisions, questions and state.',
  })
}

/** Files whose bytes the journal covers. */
export const isRecordFile = (path: string): boolean => path === '.decision-hashes.json' || isListedFile(path)

/** Markdown at the root, in decisions/ and in context/. Hidden files belong to an editor, not to the record. */
export const isListedFile = (path: string): boolean => /^(?:(?:decisions|context)\/)?[^./][^/]*\.md$/.test(path)

/** Files in a snapshot: Markdown at the root and in decisions/. */
export const isSnapshotFile = (path: string): boolean => isListedFile(path) && !path.startsWith('context/')

/** Root, then decisions/, then context/; each sorted. */
export const inListOrder = (paths: Iterable<string>): string[] =>
  [...paths].sort((a, b) => room(a) - room(b) || (a < b ? -1 : a > b ? 1 : 0))

const room = (path: string): number => (path.startsWith('decisions/') ? 1 : path.startsWith('context/') ? 2 : 0)

/**
 * Normalises line ends to \n, whatever the checkout made of them, and replaces lone surrogates, which cannot be stored.
 */
export const recordText = (text: string): string =>
  (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).toWellFormed()

const outside = (path: string): AppError =>
  new AppError('forbidden', `${JSON.stringify(path)} is not a path inside the record`, {
    hint: 'Use a relative path such as decisions/042-use-postgres.md.',
  })
