import { sep } from 'node:path'
import { watch } from 'chokidar'
import type { Watcher } from '../ports/watcher.ts'

const QUIET = 2_000
// A folder with constant writes is still reported from time to time.
const LONGEST = 15_000
const SKIPPED = new Set(['node_modules', 'vendor', '__pycache__'])

/** A change is reported after `quiet` ms without writes, or after `longest` ms of constant writes. */
export function openWatcher({ quiet = QUIET, longest = LONGEST }: { quiet?: number; longest?: number } = {}): Watcher {
  return {
    async watch(folders, { changed, failed }) {
      const pending = new Set<string>()
      let timer: NodeJS.Timeout | undefined
      let since = 0
      const ring = (): void => {
        const told = [...pending]
        pending.clear()
        timer = undefined
        changed(told)
      }
      const hear = (path: string): void => {
        const own = folders.filter((folder) => path === folder || path.startsWith(`${folder}${sep}`))
        if (own.length === 0) return
        if (pending.size === 0) since = performance.now()
        for (const folder of own) pending.add(folder)
        clearTimeout(timer)
        timer = setTimeout(ring, Math.max(0, Math.min(quiet, since + longest - performance.now())))
      }
      const watcher = watch([...folders], {
        ignoreInitial: true,
        followSymlinks: false,
        ignorePermissionErrors: true,
        ignored: (path) => isSkipped(path, folders),
      })
      watcher.on('all', (_event, path) => hear(path))
      watcher.on('error', (error) =>
        failed(`Not every folder can be watched (${(error as Error).message}); the next cycle looks there.`),
      )
      await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
      return {
        async close() {
          clearTimeout(timer)
          await watcher.close()
        },
      }
    },
  }
}

/** Whether a path is a hidden or third-party folder below a watched one, or a temporary file. */
function isSkipped(path: string, folders: readonly string[]): boolean {
  const folder = folders.find((each) => path.startsWith(`${each}${sep}`))
  if (folder === undefined) return false
  return path
    .slice(folder.length + 1)
    .split(sep)
    .some((name) => name.startsWith('.') || SKIPPED.has(name))
}
