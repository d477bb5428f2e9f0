import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { LARGEST_FILE } from './prepare-batch.ts'

// Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * The text of a document as its file is now; undefined when it is gone, too large, or no plain file any more: a pull may have put
 * a link to anything in its place. Source code is listed by real paths, so there no folder above it may be a link either.
 * Synchronous: ten small files are read in a fraction of the time that their promises take.
 */
export function readDocument({ path, origin }: { readonly path: string; readonly origin: string }): string | undefined {
  try {
    if (origin === 'code' && realpathSync(path) !== path) return undefined
    const file = openSync(path, READ_ONLY)
    try {
      const found = fstatSync(file)
      return found.isFile() && found.size <= LARGEST_FILE ? readFileSync(file, 'utf8') : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
