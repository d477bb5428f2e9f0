import { plural } from '../kernel/domain/text.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Call } from '../kernel/ports/call.ts'
import { pauseAfter } from './domain/upkeep/upkeep-rules.ts'
import type { MemoryNeeds } from './ports/memory-needs.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'
import { checkDisk } from './storage-limits.ts'
import { runCycle, changesIn, harvestNews } from './upkeep-cycle.ts'
import { openWatchedFolders } from './watched-folders.ts'
import type { Change, WatchedFolders } from './watched-folders.ts'

export interface Maintained {
  cycles: number
  harvested: number
  indexed: number
  evicted: number
  reclaimed: number
}

export interface MaintainOptions {
  /** Resolves when it is time to stop; the current step is finished first, unless the signal of the call fires too. */
  readonly stopped: Promise<void>
  /** Receives each action as one line. */
  tell(line: string): void
  /** Receives failures. */
  warn(line: string): void
}

// Polling interval of a process that waits for its turn, or for a client to be installed.
const GLANCE = 5_000

/**
 * Maintains the memory until stopped: a cycle at intervals, and changed folders as soon as no more writes arrive. One
 * process does this; others wait here and take over when it exits.
 */
export async function maintain(
  ctx: Call & MemoryNeeds,
  parts: UpkeepParts,
  options: MaintainOptions,
): Promise<Maintained> {
  const { stopped, tell } = options
  const warn = unlessRepeated(options.warn)
  const total: Maintained = { cycles: 0, harvested: 0, indexed: 0, evicted: 0, reclaimed: 0 }
  const bell = openBell(stopped)
  const watch = openWatchedFolders(ctx, parts, { changed: bell.ring, failed: warn })
  const takeIn = openIntakeOfChanges(ctx, parts, { watch, ringIn: bell.ringIn })
  const now = (): number => ctx.clock.now().getTime()
  let release: (() => void) | undefined
  let [failures, due, hasTold] = [0, 0, false]
  try {
    while (!bell.isStopped()) {
      release ??= parts.maintainer.tryTake()
      if (release === undefined) {
        if (!hasTold) tell('Another process looks after the memory; this one waits for it to end.')
        hasTold = true
        await bell.wait(GLANCE)
      } else if (now() >= due) {
        failures = (await guarded(warn, cycle)) ? 0 : failures + 1
        due = now() + pauseAfter(Number(ctx.settings.get('upkeep.interval').value), failures)
      } else {
        const changed = await bell.wait(Math.min(due - now(), GLANCE))
        if (!bell.isStopped()) await guarded(warn, () => follow(changed))
      }
    }
    return total
  } finally {
    bell.close()
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

  async function follow(folders: readonly string[]): Promise<void> {
    const { harvested, indexed } = await takeIn(folders)
    total.harvested += harvested
    total.indexed += indexed
    if (indexed > 0) tell(`${indexed} documents indexed after a change.`)
  }
}

/** Returns false if `work` was stopped or failed. A failure is reported but not fatal: the next cycle may succeed. */
async function guarded(warn: (line: string) => void, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    const failure = toAppError(error)
    if (failure.code !== 'stopped') warn(failure.line)
    return false
  }
}

/** Drops repeated warnings: a disk that stays full is reported once, not on every change. */
function unlessRepeated(warn: (line: string) => void): (line: string) => void {
  let last = ''
  return (line) => {
    if (line !== last) warn(line)
    last = line
  }
}

/** Wakes the loop: after a delay, when folders have changed, or to stop. */
function openBell(stopped: Promise<void>) {
  let isStopped = false
  let rung = new Set<string>()
  let wake = (): void => {}
  const waiting = new Set<string>()
  let later: NodeJS.Timeout | undefined
  void stopped.then(() => {
    isStopped = true
    wake()
  })
  const ring = (folders: readonly string[]): void => {
    for (const folder of folders) rung.add(folder)
    wake()
  }
  return {
    isStopped: () => isStopped,
    ring,
    /** Collects folders and notifies once for all of them after a delay. */
    ringIn(milliseconds: number, folders: readonly string[]) {
      for (const folder of folders) waiting.add(folder)
      later ??= setTimeout(() => {
        later = undefined
        ring([...waiting])
        waiting.clear()
      }, milliseconds)
    },
    close: () => clearTimeout(later),
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

interface TakenIn {
  readonly harvested: number
  readonly indexed: number
}

interface ChangeOptions {
  readonly watch: Pick<WatchedFolders, 'changeIn' | 'newClients' | 'newCollections' | 'isBlind'>
  /** Reports the folders again after this many milliseconds. */
  ringIn(milliseconds: number, folders: readonly string[]): void
}

// Share of a core for ongoing conversations: a long one is read in full each time.
const SHARE = 1 / 15
const SHORTEST_REST = 2_000
const NO_CHANGE: Change = { collections: [], clients: [] }
const NOTHING: TakenIn = { harvested: 0, indexed: 0 }

/** Indexes the changes in some folders, without the rest of a cycle. */
function openIntakeOfChanges(ctx: Call & MemoryNeeds, parts: UpkeepParts, { watch, ringIn }: ChangeOptions) {
  /** Changed collections that are not indexed yet. */
  const owed = new Set<string>()
  let restUntil = 0
  const now = (): number => ctx.clock.now().getTime()

  /** Indexes the collections that are due; if another process blocks the update, they are kept for the next attempt. */
  async function payOwed(): Promise<number> {
    if (owed.size === 0) return 0
    const collections = [...owed]
    const { progress, signal } = ctx
    const report = await (await ctx.memory()).update({ collections, embed: true, progress, signal })
    if (!report.busy) for (const collection of collections) owed.delete(collection)
    return changesIn(report)
  }

  /** Also runs without a change: a client or a collection may be new, or the folders cannot be watched. */
  return async (folders: readonly string[]): Promise<TakenIn> => {
    const { collections, clients } = folders.length === 0 ? NO_CHANGE : await watch.changeIn(folders)
    const isResting = now() < restUntil
    const added = await watch.newClients(watch.isBlind() && !isResting)
    if (clients.length > 0 && isResting) ringIn(restUntil - now(), folders)
    for (const collection of [...collections, ...(await watch.newCollections())]) owed.add(collection)
    const spoken = [...new Set([...(isResting ? [] : clients), ...added])]
    if (spoken.length + owed.size === 0) return NOTHING
    await checkDisk(ctx, parts)
    const started = now()
    const harvested = spoken.length === 0 ? 0 : await harvestNews(ctx, parts, spoken)
    if (harvested !== 0) owed.add('sessions')
    const indexed = await payOwed()
    if (spoken.length > 0) restUntil = now() + Math.max(SHORTEST_REST, (now() - started) / SHARE)
    if (harvested === undefined || owed.size > 0) ringIn(SHORTEST_REST, folders)
    return { harvested: harvested ?? 0, indexed }
  }
}
