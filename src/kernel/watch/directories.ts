import { type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Watcher } from '../ports/watcher.ts'

const MOST_LOOKED_AT = 4096
const DEEPEST = 8
/** Interval in ms at which a watched folder is checked: it may be created later, or replaced. */
const LOOK = 2_000
const IS_RECURSIVE = process.platform === 'darwin' || process.platform === 'win32'

export interface WatchRules {
  /** A change is reported after this many ms without writes, or after `longest` ms of constant writes. */
  readonly quiet: number
  readonly longest: number
  /** Each watched directory uses one of the user's limited system watches, and editors need thousands. */
  readonly most: number
  /** Whether a file or folder of this name is ignored. */
  isSkipped(name: string): boolean
}

// Files that clients keep beside their sessions and write constantly.
const OF_CLIENTS = new Set([
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
const FOREIGN = new Set(['node_modules', 'vendor', '__pycache__'])

/** Watches the session folders of clients. */
export const openSessionWatcher = (rules: Partial<WatchRules> = {}): Watcher =>
  openWatcher({ quiet: 1_000, longest: 4_000, most: 512, isSkipped: (name) => OF_CLIENTS.has(name), ...rules })

/** Watches notes, records and collections; hidden and foreign files are ignored. */
export const openDocumentWatcher = (rules: Partial<WatchRules> = {}): Watcher =>
  openWatcher({
    quiet: 2_000,
    longest: 15_000,
    most: MOST_LOOKED_AT,
    isSkipped: (name) => name.startsWith('.') || FOREIGN.has(name),
    ...rules,
  })

/**
 * Watches directories, not single files, because a folder may have tens of thousands of files: a directory reports
 * every file in it. If there are too many, the newest directories are watched.
 */
function openWatcher(rules: WatchRules): Watcher {
  return {
    async watch(folders, { changed, failed }) {
      const bell = openBell(rules, changed)
      const trees = await Promise.all(
        folders.map((folder) => watchTree(folder, rules, { changed: () => bell.hear(folder), failed })),
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

async function watchTree(
  root: string,
  { most, isSkipped }: WatchRules,
  { changed, failed }: Hear,
): Promise<{ close(): void }> {
  const watching = new Map<string, FSWatcher>()
  let isClosed = false
  let hasFailed = false
  let identity = await identityOf(root)

  function stop(path: string): void {
    watching.get(path)?.close()
    watching.delete(path)
  }

  function fail(error: unknown): void {
    if (!hasFailed) failed(`Not every folder below ${root} can be watched (${(error as Error).message}).`)
    hasFailed = true
  }

  function start(path: string): void {
    if (isClosed || watching.has(path) || watching.size >= most) return
    try {
      const watcher = watch(path, { persistent: false, recursive: IS_RECURSIVE }, (event, name) => {
        if (name !== null && name.split(sep).some(isSkipped)) return
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
    for (const { path: below } of await directoriesBelow(path, isSkipped)) start(below)
    changed()
  }

  async function startAll(): Promise<void> {
    const all = IS_RECURSIVE ? [{ path: root, mtime: 0 }] : await directoriesBelow(root, isSkipped)
    for (const { path } of all.sort((a, b) => b.mtime - a.mtime).slice(0, most)) start(path)
  }

  /** A watch belongs to a directory, not to its name. */
  async function look(): Promise<void> {
    const found = await identityOf(root)
    if (found === identity || isClosed) return
    identity = found
    for (const path of watching.keys()) stop(path)
    await startAll()
    if (!isClosed) changed()
  }

  await startAll()
  const timer = setInterval(() => void look(), LOOK).unref()
  return {
    close() {
      isClosed = true
      clearInterval(timer)
      for (const path of watching.keys()) stop(path)
    },
  }
}

const identityOf = (path: string): Promise<string | undefined> =>
  stat(path).then(
    ({ dev, ino }) => `${dev}.${ino}`,
    () => undefined,
  )

/** Lists folders level by level, so that the deepest ones are omitted if a tree is too large. */
async function directoriesBelow(
  root: string,
  isSkipped: WatchRules['isSkipped'],
): Promise<{ path: string; mtime: number }[]> {
  const found = [{ path: root, mtime: Infinity, depth: 0 }]
  for (let at = 0; at < found.length && found.length < MOST_LOOKED_AT; at++) {
    const { path, depth } = found[at]!
    if (depth === DEEPEST) break
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (!entry.isDirectory() || isSkipped(entry.name)) continue
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

/** Reports folders once writes have paused, or have continued for a long time. */
function openBell({ quiet, longest }: Pick<WatchRules, 'quiet' | 'longest'>, changed: (folders: string[]) => void) {
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
