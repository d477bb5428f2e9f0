import { plural } from '../core/text.ts'
import { toAppError } from '../core/to-app-error.ts'
import { pauseAfter } from '../core/upkeep/upkeep-rules.ts'
import type { Context } from '../ports/context.ts'
import type { UpkeepParts } from '../ports/upkeep-parts.ts'
import type { Watching } from '../ports/watcher.ts'
import { checkDisk } from './storage-limits.ts'
import { changesIn, runCycle } from './upkeep-cycle.ts'

export interface Maintained {
  cycles: number
  harvested: number
  indexed: number
  evicted: number
  reclaimed: number
}

export interface MaintainOptions {
  /** Resolves when it is time to end; the step at hand is finished first. */
  readonly stopped: Promise<void>
  /** Hears what was done, line by line. */
  tell(line: string): void
  /** Hears what went wrong. */
  warn(line: string): void
}

/**
 * Looks after the memory until told to stop: a cycle now and then, and changed folders as soon as they are quiet. One
 * process does it; others wait here and take over when that one has gone.
 */
export async function maintain(
  ctx: Context,
  parts: UpkeepParts,
  { stopped, tell, warn }: MaintainOptions,
): Promise<Maintained> {
  const total: Maintained = { cycles: 0, harvested: 0, indexed: 0, evicted: 0, reclaimed: 0 }
  const bell = openBell(stopped)
  const watch = openFolderWatch(ctx, parts, { changed: bell.ring, failed: warn })
  let release: (() => void) | undefined
  let failures = 0
  try {
    for (let due = 0; !bell.isStopped();) {
      const wait = due - ctx.clock.now().getTime()
      if (wait > 0) {
        const changed = await bell.wait(wait)
        if (changed.length > 0 && !bell.isStopped())
          await guarded(warn, async () => update(await watch.collectionsOf(changed)))
        continue
      }
      release ??= parts.maintainer.tryTake()
      if (release === undefined) tell('Another process looks after the memory; this one waits for it to end.')
      else failures = (await guarded(warn, cycle)) ? 0 : failures + 1
      due = ctx.clock.now().getTime() + pauseAfter(Number(ctx.settings.get('upkeep.interval').value), failures)
    }
    return total
  } finally {
    await watch.close()
    release?.()
  }

  async function cycle(): Promise<void> {
    const folders = await watch.follow()
    if (total.cycles === 0) tell(`Watching ${plural(folders, 'folder')}; Ctrl-C ends it.`)
    const report = await runCycle(ctx, parts, total.cycles)
    if (report === undefined) return
    total.cycles++
    total.harvested += report.harvested
    total.indexed += report.indexed
    total.evicted += report.evicted
    total.reclaimed += report.reclaimed
    for (const warning of report.warnings) warn(warning)
    const { harvested, indexed, evicted } = report
    if (harvested + indexed + evicted > 0)
      tell(`${harvested} sessions harvested, ${indexed} documents indexed, ${evicted} sessions evicted.`)
  }

  async function update(collections: readonly string[]): Promise<void> {
    await checkDisk(ctx, parts)
    const memory = await ctx.memory()
    const changes = changesIn(await memory.update({ collections, embed: true, progress: ctx.progress }))
    total.indexed += changes
    if (changes > 0) tell(`${changes} documents indexed after a change.`)
  }
}

/** False when it failed, which is reported and survived: the next cycle may fare better. */
async function guarded(warn: (line: string) => void, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    warn(toAppError(error).line)
    return false
  }
}

/** Wakes the loop: after a time, when folders changed, or for good. */
function openBell(stopped: Promise<void>) {
  let isStopped = false
  let rung = new Set<string>()
  let wake = (): void => {}
  void stopped.then(() => {
    isStopped = true
    wake()
  })
  return {
    isStopped: () => isStopped,
    ring(folders: readonly string[]) {
      for (const folder of folders) rung.add(folder)
      wake()
    },
    async wait(milliseconds: number): Promise<readonly string[]> {
      if (rung.size === 0 && !isStopped) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      const folders = [...rung]
      rung = new Set()
      return folders
    },
  }
}

/** The folders that feed the index, watched anew when the configuration names others. */
function openFolderWatch(ctx: Context, parts: UpkeepParts, hear: Parameters<UpkeepParts['watcher']['watch']>[1]) {
  let watching: Watching | undefined
  let watched = ''
  const folders = async (): Promise<Map<string, string>> => {
    const records = (await ctx.projects.list())
      .filter(({ present }) => present)
      .map(({ location }) => [location, 'record'] as const)
    const named = ctx.collections.list().collections.map(({ path, name }) => [path, name] as const)
    return new Map([[parts.notesFolder, 'memory'], ...records, ...named])
  }
  return {
    /** Gives the number of folders. */
    async follow(): Promise<number> {
      const now = [...(await folders()).keys()].sort()
      if (watched === now.join('\n')) return now.length
      await watching?.close()
      watching = await parts.watcher.watch(now, hear)
      watched = now.join('\n')
      return now.length
    },
    async collectionsOf(changed: readonly string[]): Promise<readonly string[]> {
      const all = await folders()
      return [...new Set(changed.flatMap((folder) => all.get(folder) ?? []))]
    },
    close: async () => watching?.close(),
  }
}
