import type { Call } from '../kernel/ports/call.ts'
import type { MemoryNeeds } from './ports/memory-needs.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'
import { checkDisk } from './storage-limits.ts'
import { changesIn, harvestNews } from './upkeep-cycle.ts'
import type { Change, WatchedFolders } from './watched-folders.ts'

export interface TakenIn {
  readonly harvested: number
  readonly indexed: number
}

export interface ChangeOptions {
  readonly watch: Pick<WatchedFolders, 'changeIn' | 'newClients' | 'isBlind'>
  /** Reports the folders again after so many milliseconds. */
  ringIn(milliseconds: number, folders: readonly string[]): void
}

// Share of a core for ongoing conversations: a long one is read in full each time.
const SHARE = 1 / 15
const SHORTEST_REST = 2_000
const NO_CHANGE: Change = { collections: [], clients: [] }
const NOTHING: TakenIn = { harvested: 0, indexed: 0 }

/** Indexes the changes in some folders, without the rest of a cycle. */
export function openIntakeOfChanges(ctx: Call & MemoryNeeds, parts: UpkeepParts, { watch, ringIn }: ChangeOptions) {
  /** Changed collections that are not indexed yet. */
  const owed = new Set<string>()
  let restUntil = 0
  const now = (): number => ctx.clock.now().getTime()

  /** Another process may block the index update; the rest is then done next time. */
  async function payOwed(): Promise<number> {
    if (owed.size === 0) return 0
    const collections = [...owed]
    const report = await (await ctx.memory()).update({ collections, embed: true, progress: ctx.progress })
    if (!report.busy) for (const collection of collections) owed.delete(collection)
    return changesIn(report)
  }

  /** Even without a change: a client may have been installed since, or the folders cannot be watched. */
  return async (folders: readonly string[]): Promise<TakenIn> => {
    const { collections, clients } = folders.length === 0 ? NO_CHANGE : await watch.changeIn(folders)
    const isResting = now() < restUntil
    const added = await watch.newClients(watch.isBlind() && !isResting)
    if (clients.length > 0 && isResting) ringIn(restUntil - now(), folders)
    for (const collection of collections) owed.add(collection)
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
