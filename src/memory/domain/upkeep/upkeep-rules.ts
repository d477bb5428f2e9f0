import { AppError } from '../../../kernel/domain/errors.ts'

// Seconds. A cycle that restarted immediately would keep a core busy for nothing.
const SHORTEST = 5
// Seconds. A timer of more than 24 days would fire at once.
const LONGEST = 24 * 3600
const MOST_PATIENCE = 8
const ORPHANS_EVERY = 10

/** Milliseconds to wait after a cycle: the interval, and longer the more consecutive cycles have failed. */
export function pauseAfter(intervalSeconds: number, failures: number): number {
  return Math.min(Math.max(SHORTEST, intervalSeconds), LONGEST) * 1000 * Math.min(2 ** failures, MOST_PATIENCE)
}

/**
 * Whether a cycle, counted from 0, searches for orphans. Only crashes leave them and the search reads every vector, so
 * only some cycles do it.
 */
export const looksForOrphans = (cycle: number): boolean => cycle % ORPHANS_EVERY === 0

/** How long documents of a missing collection folder stay in the index, in days. */
export const KEPT_DAYS = 30

const WORTH_SHARE = 0.2
const WORTH_BYTES = 1024 ** 2
// Otherwise an index that cannot be brought below the limit would be rewritten in every cycle.
const WORTH_SHARE_OVER_LIMIT = 0.02

/**
 * Whether to reclaim space, which rewrites the whole index: a little waste is left for later, unless the limit is
 * exceeded.
 */
export function isWorthReclaiming(
  usage: { readonly bytes: number; readonly wasted: number },
  isOverLimit: boolean,
): boolean {
  if (isOverLimit) return usage.wasted > usage.bytes * WORTH_SHARE_OVER_LIMIT
  return usage.wasted >= WORTH_BYTES && usage.wasted >= usage.bytes * WORTH_SHARE
}

const MEGABYTE = 1024 ** 2

/**
 * Throws if the disk is nearly full. Called before every write: a disk that fills up during a write causes more damage
 * than a missed session. `free` is undefined if the system does not report it.
 */
export function guardDisk(free: number | undefined, least: number): void {
  if (free === undefined || free >= least) return
  const [has, needs] = [Math.floor(free / MEGABYTE), Math.ceil(least / MEGABYTE)]
  throw new AppError('unavailable', `Only ${has} MB free on the disk of Ken's files; ${needs} MB must stay free.`, {
    hint: 'Free some space or lower storage.minFreeDisk. Nothing was written; searches still work.',
    details: { free, least },
  })
}
