import { type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Watcher } from '../ports/watcher.ts'

const QUIET = 1_000
const LONGEST = 4_000
// Each uses one of the user's limited system watches, of which editors need thousands.
const MOST_DIRECTORIES = 512
const MOST_LOOKED_AT = 4096
const DEEPEST = 8
// Files that clients keep beside their sessions and write constantly.
const SKIPPED = new Set([
  'node_modules',
  '.git',
  'snapshot',
  'log',
  'logs',
  'cache',
  'Cache',
  'plugins',
  'file-history',
])
const IS_RECURSIVE = process.platform === 'darwin' || process.platform === 'win32'

/**
 * Watches directories, not single files, because a client keeps thousands of files: a directory reports every file in
 * it. If there are too many, the newest directories are watched.
 */
export function openDirectoryWatcher({ quiet = QUIET, longest = LONGEST } = {}): Watcher {
  return {
    async watch(folders, { changed, failed }) {
      const bell = openBell({ quiet, longest }, changed)
      const trees = await Promise.all(
        folders.map((folder) => watchTree(folder, { changed: () => bell.hear(folder), failed })),
      )
      return {
        async close() {
          bell.close()
          for (const tree of trees) tree.close()
        },
      }
    },
  }
}

interface Hear {
  changed(): void
  failed(message: string): void
}

async function watchTree(root: string, { changed, failed }: Hear): Promise<{ close(): void }> {
  const watching = new Map<string, FSWatcher>()
  let isClosed = false
  let hasFailed = false

  function stop(path: string): void {
    watching.get(path)?.close()
    watching.delete(path)
  }

  function fail(error: unknown): void {
    if (!hasFailed) failed(`Not every folder below ${root} can be watched (${(error as Error).message}).`)
    hasFailed = true
  }

  function start(path: string): void {
    if (isClosed || watching.has(path) || watching.size >= MOST_DIRECTORIES) return
    try {
      const watcher = watch(path, { persistent: false, recursive: IS_RECURSIVE }, (event, name) => {
        changed()
        if (event === 'rename' && name !== null && !IS_RECURSIVE) void follow(join(path, name))
      })
      watcher.on('error', () => stop(path))
      watching.set(path, watcher)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') fail(error)
    }
  }

  /** Handles a name that appeared or vanished. A new folder may contain files that were not reported. */
  async function follow(path: string): Promise<void> {
    if (!(await isDirectory(path))) return stop(path)
    for (const { path: below } of await directoriesBelow(path)) start(below)
    changed()
  }

  const all = IS_RECURSIVE ? [{ path: root, mtime: 0 }] : await directoriesBelow(root)
  for (const { path } of all.sort((a, b) => b.mtime - a.mtime).slice(0, MOST_DIRECTORIES)) start(path)
  return {
    close() {
      isClosed = true
      for (const path of watching.keys()) stop(path)
    },
  }
}

/** Lists folders level by level, so that the deepest ones are omitted if a tree is too large. */
async function directoriesBelow(root: string): Promise<{ path: string; mtime: number }[]> {
  const found = [{ path: root, mtime: Infinity, depth: 0 }]
  for (let at = 0; at < found.length && found.length < MOST_LOOKED_AT; at++) {
    const { path, depth } = found[at]!
    if (depth === DEEPEST) break
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (!entry.isDirectory() || SKIPPED.has(entry.name)) continue
      const below = join(path, entry.name)
      const { mtimeMs } = await stat(below).catch(() => ({ mtimeMs: 0 }))
      found.push({ path: below, mtime: mtimeMs, depth: depth + 1 })
    }
  }
  return found
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Reports folders once writes have paused, or continued for long. */
function openBell({ quiet, longest }: { quiet: number; longest: number }, changed: (folders: string[]) => void) {
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let since = 0
  return {
    hear(folder: string): void {
      if (pending.size === 0) since = performance.now()
      pending.add(folder)
      clearTimeout(timer)
      const wait = Math.max(0, Math.min(quiet, since + longest - performance.now()))
      timer = setTimeout(() => {
        const told = [...pending]
        pending.clear()
        changed(told)
      }, wait)
    },
    close: () => clearTimeout(timer),
  }
}
