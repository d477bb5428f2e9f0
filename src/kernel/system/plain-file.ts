import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'

/** Does not follow links; without O_NONBLOCK, opening a named pipe would wait for a writer forever. */
export const READ_PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Windows has no such flag: a link is opened there, and detected by checking its path. */
const CAN_REFUSE_LINKS = constants.O_NOFOLLOW !== undefined

/** The bytes of a regular file; undefined if it does not exist, is a link, or is larger than `most`. */
export function readPlainFile(
  path: string,
  most: number,
  { flags, canRefuseLinks } = { flags: READ_PLAIN, canRefuseLinks: CAN_REFUSE_LINKS },
): Buffer | undefined {
  try {
    const file = openSync(path, flags)
    try {
      const found = fstatSync(file)
      if (!canRefuseLinks && lstatSync(path).ino !== found.ino) return undefined
      return found.isFile() && found.size <= most ? readFileSync(file) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
