export const MOST_TRIES = 8

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 3_600_000

/** Milliseconds until a failed job is retried: 5 s, 20 s, 80 s … an hour; eight tries take about two and a half hours. */
export const pauseAfter = (tries: number): number =>
  Math.min(FIRST_PAUSE_MS * 4 ** (Math.max(1, tries) - 1), LONGEST_PAUSE_MS)

/** Failure reason of a job whose workers all disappeared before finishing it. */
export const NEVER_CAME_BACK = 'Whoever ran it was gone before it was done.'
