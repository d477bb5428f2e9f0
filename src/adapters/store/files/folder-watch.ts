import { watch, type FSWatcher } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { folderStamp, isDecisionName } from './stamp.ts'

/** Knows which files of a folder may have changed since they were last looked at. */
export interface FolderWatch {
  /** Names to look at again, or 'all' when only a full sweep can tell. */
  changed(): Promise<ReadonlySet<string> | 'all'>
  close(): void
}

const SWEEP_EVERY = 30_000

// Other systems deliver events late, or not at all for edits in place.
const DELIVERS_AT_ONCE = process.platform === 'linux'

/**
 * Sweeps are still due now and then: edits from another machine on a shared disk raise no event. `now` is in
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
        // Two turns of the event loop: the first may already be past its polling.
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
