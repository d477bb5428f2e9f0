import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { git } from './git.ts'

// Oldest first, so that a rename finds the day of the previous name. A signature would start another program.
const LOG = [
  'log',
  '--reverse',
  '--no-show-signature',
  '--no-ext-diff',
  '--no-textconv',
  '--find-renames',
  '--diff-filter=AR',
  '--name-status',
  '-z',
  '--format=%x01%as',
]

/** The day of the commit that added each file below a folder; empty if git does not know. */
export async function addedOn(root: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const below = insideOf(root, folder)
  if (below === undefined) return new Map()
  const answer = await git(root, [...LOG, '--', below === '' ? '.' : below]).catch(() => undefined)
  if (answer?.code !== 0) return new Map()
  const days = readLog(answer.stdout)
  const prefix = below === '' ? '' : `${below}/`
  return new Map(
    [...days].filter(([path]) => path.startsWith(prefix)).map(([path, day]) => [path.slice(prefix.length), day]),
  )
}

function insideOf(root: string, folder: string): string | undefined {
  try {
    const path = relative(realpathSync(root), realpathSync(folder)).split(sep).join('/')
    return path.startsWith('..') || /^[A-Za-z]:/.test(path) ? undefined : path
  } catch {
    return undefined
  }
}

function readLog(output: string): Map<string, string> {
  const days = new Map<string, string>()
  const words = output.split('\0').map((word) => word.replace(/^\n/, ''))
  let day = ''
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (word.startsWith('\u0001')) day = word.slice(1)
    else if (word === 'A') days.set(words[++i] ?? '', day)
    else if (/^R[0-9]*$/.test(word)) {
      const [before, after] = [words[++i] ?? '', words[++i] ?? '']
      days.set(after, days.get(before) ?? day)
    }
  }
  return days
}
