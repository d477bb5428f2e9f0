import { lstatSync, readdirSync, watch, type FSWatcher } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { stampOf } from '../record-file.ts'

/** Tracks which files of a folder may have changed since they were last read. */
export interface FolderWatch {
  /** Names to check again, or 'all' if all files must be checked. */
  changed(): Promise<ReadonlySet<string> | 'all'>
  close(): void
}

const SWEEP_EVERY = 30_000

// Other systems deliver events late, or not at all for edits in place.
const DELIVERS_AT_ONCE = process.platform === 'linux'

/**
 * Periodic sweeps are still needed: edits from another machine on a shared disk raise no event. `now` is in
 * milliseconds.
 */
export function openFolderWatch(folder: string, now: () => number): FolderWatch {
  let watcher: FSWatcher | undefined
  let names = new Set<string>()
  let seen = ''
  let swept = -Infinity
  let blind = true

  function renew(): void {
    watcher?.close()
    watcher = undefined
    try {
      watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null) blind = true
        else if (isDecisionName(name)) names.add(name)
      })
      watcher.on('error', () => (blind = true))
    } catch {
      watcher = undefined
    }
  }

  function sweep(stamp: string): 'all' {
    if (watcher === undefined || inode(stamp) !== inode(seen)) renew()
    blind = watcher === undefined || !DELIVERS_AT_ONCE
    names = new Set()
    seen = stamp
    swept = now()
    return 'all'
  }

  return {
    async changed() {
      if (!blind) {
        // Two event-loop turns: the first may already be past its poll phase.
        await setImmediate()
        await setImmediate()
      }
      const stamp = folderStamp(folder)
      const known = names.size > 0 ? inode(stamp) === inode(seen) : stamp === seen
      if (blind || !known || now() - swept > SWEEP_EVERY) return sweep(stamp)
      const changed = names
      names = new Set()
      seen = stamp
      return changed
    },
    close: () => watcher?.close(),
  }
}

const inode = (stamp: string): string => stamp.split('.')[1] ?? ''

/**
 * The stamp of every Markdown file of a folder, by stem. Synchronous calls: 10,000 files take 30 ms, against 100 ms
 * with promises; `join` would add 40.
 */
export function stampsOf(folder: string): Map<string, string> {
  const stamps = new Map<string, string>()
  for (const name of markdownNames(folder)) {
    const stamp = stampOf(`${folder}/${name}`)
    if (stamp !== undefined) stamps.set(name.slice(0, -3), stamp)
  }
  return stamps
}

/**
 * Changes if a file is added, removed or renamed, or if the folder itself is replaced; not if a file is edited in
 * place.
 */
function folderStamp(folder: string): string {
  const found = lstatSync(folder, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : `${found.mtimeNs}.${found.ino}`
}

const isDecisionName = (name: string): boolean => name.endsWith('.md') && !name.startsWith('.')

function markdownNames(folder: string): string[] {
  try {
    // Reading a folder follows links; a link in a clone may point anywhere.
    if (lstatSync(folder).isSymbolicLink())
      throw Object.assign(new Error(`${folder} is a symbolic link`), { code: 'ELOOP' })
    return readdirSync(folder).filter(isDecisionName)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
