/** Width of a run in the strip. */
export const COLUMN = 28

const NARROW = { least: 168, below: 760 }
const LEAST = 340
const MOST = 560
// The date above the newest run is wider than its column.
const DATE = 24

/** Width of the case names beside the runs: what the runs leave, within limits, because names are often long. */
export const namesWidth = (width: number, runs: number): number =>
  Math.max(width < NARROW.below ? NARROW.least : LEAST, Math.min(MOST, width - runs * COLUMN - DATE))
