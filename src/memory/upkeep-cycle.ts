import { AppError } from '../kernel/domain/errors.ts'
import type { Call } from '../kernel/ports/call.ts'
import { isWorthReclaiming, looksForOrphans, KEPT_DAYS } from './domain/upkeep/upkeep-rules.ts'
import { evictSessions } from './evict-sessions.ts'
import { harvestSessions, type ClientHarvest } from './harvest-sessions.ts'
import { withLease } from './lease.ts'
import type { MemoryNeeds } from './ports/memory-needs.ts'
import type { UpdateReport } from './ports/memory.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'
import { checkDisk } from './storage-limits.ts'

export interface CycleReport {
  readonly harvested: number
  readonly evicted: number
  readonly indexed: number
  readonly orphans: number
  /** Reclaimed bytes. */
  readonly reclaimed: number
  /** Warnings for the user; a cycle continues with the rest. */
  readonly warnings: readonly string[]
}

const PATIENCE = 1_000

/** Runs harvest, eviction, index and space once. Undefined if another process is in a cycle. `cycle` counts from 0. */
export async function runCycle(
  ctx: Call & MemoryNeeds,
  parts: UpkeepParts,
  cycle: number,
): Promise<CycleReport | undefined> {
  return withLease(parts.lease, PATIENCE, async () => {
    const warnings: string[] = []
    const hasRoom = await attempt(warnings, async () => checkDisk(ctx, parts).then(() => true))
    const harvested = hasRoom && (await attempt(warnings, () => harvestSessions(ctx, parts, EVERYTHING_NEW)))
    const { expired, oversize, beyondReach, isOverLimit } = await evictSessions(ctx, parts)
    if (beyondReach > 0) warnings.push(tooLarge(beyondReach))
    // Evictions free space on a full disk, so they must reach the index even if nothing else can be done.
    const update = (hasRoom || expired + oversize > 0) && (await attempt(warnings, () => updateMemory(ctx, parts)))
    const orphans = looksForOrphans(cycle) ? await parts.space.removeOrphans() : 0
    const reclaimed = await attempt(warnings, () => reclaimIfWorthIt(ctx, parts, isOverLimit))
    return {
      harvested: harvested ? harvested.reduce(countNews, 0) : 0,
      evicted: expired + oversize,
      indexed: update ? changesIn(update) : 0,
      orphans,
      reclaimed: reclaimed ?? 0,
      warnings: [...new Set(warnings)],
    }
  })
}

/** Harvests new sessions of some clients, without the rest of a cycle. Undefined if another process is harvesting. */
export const harvestNews = (ctx: Call, parts: UpkeepParts, clients: readonly string[]): Promise<number | undefined> =>
  withLease(parts.lease, PATIENCE, async () =>
    (await harvestSessions(ctx, parts, { ...EVERYTHING_NEW, clients, isHasty: true })).reduce(countNews, 0),
  )

const EVERYTHING_NEW = { clients: [], dryRun: false, again: false }

/**
 * Undefined if the work cannot be done now, which is reported; any error but `unavailable` is a fault and ends the
 * cycle.
 */
async function attempt<T>(warnings: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
    warnings.push(error.line)
    return undefined
  }
}

const updateMemory = async (ctx: Call & MemoryNeeds, parts: UpkeepParts): Promise<UpdateReport> =>
  (await ctx.memory()).update({
    embed: true,
    expired: await expiredFolders(ctx, parts),
    progress: ctx.progress,
    signal: ctx.signal,
  })

async function reclaimIfWorthIt(ctx: Call, parts: UpkeepParts, isOverLimit: boolean): Promise<number> {
  const { space } = parts
  const before = await space.usage()
  if (!isWorthReclaiming(before, isOverLimit)) return 0
  // The new copy of the index exists beside the old one for a moment.
  await checkDisk(ctx, parts, before.bytes)
  await space.reclaim()
  return Math.max(0, before.bytes - (await space.usage()).bytes)
}

const countNews = (sum: number, report: ClientHarvest): number => sum + report.new + report.changed + report.emptied

export const changesIn = ({ added, changed, removed }: UpdateReport): number => added + changed + removed

const tooLarge = (bytes: number): string =>
  `The index is ${Math.ceil(bytes / 1024 ** 2)} MB above storage.maxSize even without sessions; raise that setting or take a collection out.`

const MISSING = 'missing folders'
const DAY = 86_400_000

/**
 * Collection folders that have been missing for so long that their index entries are removed. Stores when each was
 * first found missing; a folder that is back starts over.
 */
export async function expiredFolders(
  ctx: Call & MemoryNeeds,
  { state, workspaces }: Pick<UpkeepParts, 'state' | 'workspaces'>,
): Promise<readonly string[]> {
  const missing = ctx.collections
    .list()
    .collections.map(({ path }) => path)
    .filter((path) => !workspaces.exists(path))
  const kept = await state.fact(MISSING)
  const before = readSince(kept)
  const now = ctx.clock.now()
  const since = new Map(missing.toSorted().map((path) => [path, before.get(path) ?? now.toISOString()]))
  const next = JSON.stringify([...since])
  if (next !== (kept ?? '[]')) await state.keepFact(MISSING, next)
  return [...since].filter(([, at]) => now.getTime() - Date.parse(at) >= KEPT_DAYS * DAY).map(([path]) => path)
}

function readSince(kept: string | undefined): ReadonlyMap<string, string> {
  return new Map(JSON.parse(kept ?? '[]') as [string, string][])
}
