import { AppError } from '../core/errors.ts'
import { isWorthReclaiming } from '../core/upkeep/reclaim.ts'
import { looksForOrphans } from '../core/upkeep/schedule.ts'
import type { UpdateReport } from '../ports/memory.ts'
import type { Context } from './context.ts'
import { evictSessions } from './evict-sessions.ts'
import { harvestSessions, type ClientHarvest } from './harvest-sessions.ts'
import { withLease } from './hold-lease.ts'
import { checkDisk } from './storage-limits.ts'
import type { UpkeepParts } from './upkeep-parts.ts'

export interface CycleReport {
  harvested: number
  evicted: number
  indexed: number
  orphans: number
  reclaimed: number
  /** What a person should know; a cycle goes on with the rest. */
  readonly warnings: string[]
}

const PATIENCE = 1_000

/** Harvest, eviction, index, space: once. Undefined when another process is at it. `cycle` counts from 0. */
export async function runCycle(ctx: Context, parts: UpkeepParts, cycle: number): Promise<CycleReport | undefined> {
  return withLease(parts.lease, PATIENCE, async () => {
    const report: CycleReport = { harvested: 0, evicted: 0, indexed: 0, orphans: 0, reclaimed: 0, warnings: [] }
    const mayWrite = await attempt(report, () => checkDisk(ctx, parts))
    if (mayWrite) await attempt(report, async () => void (report.harvested = (await harvestSessions(ctx, parts, { clients: [], dryRun: false, again: false })).reduce(countNews, 0)))
    const { expired, oversize, beyondReach, isOverLimit } = await evictSessions(ctx, parts)
    report.evicted = expired + oversize
    if (beyondReach > 0) report.warnings.push(tooLarge(beyondReach))
    // A full disk gets room from what was evicted, so the index must hear of that whatever else waits.
    if (mayWrite || report.evicted > 0) await attempt(report, async () => void (report.indexed = changesIn(await updateMemory(ctx))))
    if (looksForOrphans(cycle)) report.orphans = await parts.space.removeOrphans()
    await attempt(report, async () => void (report.reclaimed = await reclaimIfWorthIt(ctx, parts, isOverLimit)))
    return report
  })
}

/** False when it could not be done now; anything but `unavailable` is a fault and ends the cycle. */
async function attempt(report: CycleReport, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
    report.warnings.push(error.line)
    return false
  }
}

const updateMemory = async (ctx: Context): Promise<UpdateReport> => (await ctx.memory()).update({ embed: true, progress: ctx.progress })

async function reclaimIfWorthIt(ctx: Context, parts: UpkeepParts, isOverLimit: boolean): Promise<number> {
  const { space } = parts
  const before = await space.usage()
  if (!isWorthReclaiming(before, isOverLimit)) return 0
  // The new copy of the index stands beside the old one for a moment.
  await checkDisk(ctx, parts, before.bytes)
  await space.reclaim()
  return Math.max(0, before.bytes - (await space.usage()).bytes)
}

const countNews = (sum: number, report: ClientHarvest): number => sum + report.new + report.changed + report.emptied

export const changesIn = ({ added, changed, removed }: UpdateReport): number => added + changed + removed

const tooLarge = (bytes: number): string =>
  `The index is ${Math.ceil(bytes / 1024 ** 2)} MB above storage.maxSize even without sessions; raise that setting or take a collection out.`
