import { realpathSync } from 'node:fs'
import { readPlainFile } from '../adapters/plain-file.ts'
import { LARGEST_FILE } from './prepare-batch.ts'

/**
 * The text of a document as its file is now; undefined when it is gone, too large, or no plain file any more: a pull
 * may have put a link to anything in its place. Source code is listed by real paths, so there no folder above it may be
 * a link either. Synchronous: ten small files are read in a fraction of the time that their promises take.
 */
export function readDocument({ path, origin }: { readonly path: string; readonly origin: string }): string | undefined {
  return origin === 'code' && !isReal(path) ? undefined : readPlainFile(path, LARGEST_FILE)?.toString('utf8')
}

function isReal(path: string): boolean {
  try {
    return realpathSync(path) === path
  } catch {
    return false
  }
}
