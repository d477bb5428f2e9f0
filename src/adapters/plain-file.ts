import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Opens no link; without O_NONBLOCK, opening a named pipe would wait for a writer for ever. */
export const READ_PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * The bytes of a regular file; undefined when there is none of that name, when it is a link, or when it is larger than
 * `most`.
 */
export function readPlainFile(path: string, most: number): Buffer | undefined {
  try {
    const file = openSync(path, READ_PLAIN)
    try {
      const found = fstatSync(file)
      return found.isFile() && found.size <= most ? readFileSync(file) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
