import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { ChangedFile } from '../ports/repository.ts'
import { gitOrThrow } from './git.ts'
import { LONGEST_LINE, type Lines, MOST_LINES, bounded } from './parse-patch.ts'

const MOST_BYTES_PER_FILE = 512 * 1024
const MOST_BYTES = 16 * 1024 * 1024
const UNREAD: Lines = { added: [], removed: [], cut: true }

/** Files neither tracked nor ignored by git, with every line as an addition. */
export async function untrackedFiles(root: string): Promise<ChangedFile[]> {
  const { stdout } = await gitOrThrow(root, ['ls-files', '--others', '--exclude-standard', '-z'])
  // A name that ends in a slash is another repository inside this one.
  const paths = stdout.split('\0').filter((path) => path !== '' && !path.endsWith('/'))
  let budget = MOST_BYTES
  return paths.map((path) => {
    const head = budget > 0 ? readHead(join(root, path)) : undefined
    budget -= head?.bytes.length ?? 0
    return { path, status: 'added', previousPath: undefined, ...(head === undefined ? UNREAD : toLines(head)) }
  })
}

interface Head {
  readonly bytes: Buffer
  readonly isWhole: boolean
}

/** Never through a symbolic link, and never from a pipe or device, which could block forever. */
function readHead(path: string): Head | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const { size } = fstatSync(file)
    if (!fstatSync(file).isFile()) return undefined
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES_PER_FILE))
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)), isWhole: size <= MOST_BYTES_PER_FILE }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function toLines({ bytes, isWhole }: Head): Lines {
  // Git's own test for binary files.
  if (bytes.subarray(0, 8000).includes(0)) return { added: [], removed: [], cut: false }
  const lines = bytes.toString('utf8').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const added = lines.slice(0, MOST_LINES).map((text, i) => ({ line: i + 1, text: bounded(text) }))
  return {
    added,
    removed: [],
    cut: !isWhole || lines.length > MOST_LINES || lines.some((line) => line.length > LONGEST_LINE),
  }
}
