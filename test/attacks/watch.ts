import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CANARY, type Machine } from './stage.ts'

/** State that a read must not change. */
export interface Watch {
  /** Describes what changed, ran or leaked since the watch began; empty if nothing did. */
  faults(outputs: readonly string[]): string[]
}

/**
 * Watches program marks, the home outside Ken's own folder, the clone, and the canary. The clone's index may change:
 * `git diff` refreshes the times in it.
 */
export function watch({ home, kenHome, marks }: Machine, clone: string): Watch {
  const before = imageOf(home, kenHome)
  return {
    faults: (outputs) => [
      ...readdirSync(marks).map((name) => `ran a program: ${name}`),
      ...changes(before, imageOf(home, kenHome))
        .filter((path) => join(home, path) !== join(clone, '.git/index'))
        .map((path) => `changed ${join(home, path).startsWith(clone) ? 'the clone' : 'a file outside'}: ${path}`),
      ...outputs.filter(holdsCanary).map((text) => `answered with text from outside: ${text.slice(0, 300)}`),
      ...pathsBelow(kenHome)
        .filter((path) => lstatSync(path).isFile() && holdsCanary(readFileSync(path, 'latin1')))
        .map((path) => `kept text from outside: ${relative(kenHome, path)}`),
    ],
  }
}

const holdsCanary = (text: string): boolean =>
  text.includes(CANARY) ||
  text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .includes(CANARY)

/** Only regular files are opened: a pipe would block, and a file of gigabytes is identified by its time and size. */
function imageOf(root: string, without: string): ReadonlyMap<string, string> {
  return new Map(
    pathsBelow(root, without).map((path) => {
      const found = lstatSync(path)
      const content = found.isSymbolicLink()
        ? readlinkSync(path)
        : found.isFile() && found.size < 1 << 20
          ? createHash('sha256').update(readFileSync(path)).digest('hex')
          : ''
      return [
        relative(root, path),
        `${found.mode} ${found.isFile() ? `${found.size} ${found.mtimeMs}` : ''} ${content}`,
      ]
    }),
  )
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
}

function pathsBelow(root: string, without?: string): string[] {
  const paths: string[] = []
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (path === without) continue
      paths.push(path)
      if (entry.isDirectory()) folders.push(path)
    }
  return paths
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
