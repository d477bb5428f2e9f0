import { readFile } from 'node:fs/promises'
import { isAbsent, statFile } from '../../kernel/system/file-mark.ts'

const LARGEST = 128 * 1024 * 1024

/**
 * Content of a file that is rewritten whole: undefined if it does not exist, `damaged` if it is half-written or not
 * JSON. A file that is too large throws an error that the ledger handles.
 */
export async function readWholeJson(path: string): Promise<{ readonly value: unknown } | 'damaged' | undefined> {
  const found = await statFile(path)
  if (found === undefined) return undefined
  if (found.size > LARGEST) throw Object.assign(new Error('too large'), { code: 'ERR_FS_FILE_TOO_LARGE' })
  try {
    return { value: JSON.parse(await readFile(path, 'utf8')) }
  } catch (error) {
    if (error instanceof SyntaxError) return 'damaged'
    if (isAbsent(error)) return undefined
    throw error
  }
}
