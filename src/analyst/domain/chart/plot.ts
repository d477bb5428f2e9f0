import type { ChartKind } from './chart.ts'

/** Renderer-independent drawing: every label is safe to show, every number finite. */
export interface Plot {
  readonly kind: ChartKind
  readonly title: string
  /** Name of the x axis; empty for none. */
  readonly xName: string
  /** Name of the figures; empty if each series has its own name. */
  readonly yName: string
  /** `places`: labels side by side, in order. `numbers`: points placed by value. */
  readonly axis: 'places' | 'numbers'
  /** Whether the places are moments. */
  readonly isTime: boolean
  /** One label for each position; empty on a number axis. */
  readonly labels: readonly string[]
  readonly series: readonly PlotSeries[]
  /** Notes for the reader, e.g. omitted rows. */
  readonly notes: readonly string[]
}

export interface PlotSeries {
  readonly label: string
  /** One value for each position; a line breaks at null. */
  readonly values: readonly (number | null)[]
  /** Position of each value on a number axis. */
  readonly at: readonly number[]
}

/** Limits of readability for one picture. */
export const MOST = {
  series: 12,
  slices: 12,
  spokes: 24,
  figures: 8,
  bars: 60,
  timeBars: 400,
  points: 5_000,
} as const
