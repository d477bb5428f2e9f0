// A cycle that starts again at once would keep a core busy for nothing.
const SHORTEST = 5
// A timer of more than 24 days would fire at once.
const LONGEST = 24 * 3600
const MOST_PATIENCE = 8
const ORPHANS_EVERY = 10

/** Milliseconds to wait after a cycle: the interval, and longer the more cycles in a row have failed. */
export function pauseAfter(intervalSeconds: number, failures: number): number {
  return Math.min(Math.max(SHORTEST, intervalSeconds), LONGEST) * 1000 * Math.min(2 ** failures, MOST_PATIENCE)
}

/**
 * Orphans come from crashes only and looking for them reads every vector, so not every cycle does; cycles count from 0.
 */
export const looksForOrphans = (cycle: number): boolean => cycle % ORPHANS_EVERY === 0
