import type { ChartKind } from './chart.ts'

/** What is drawn, whoever draws it: every label is safe to show, every number finite. */
export interface Plot {
  readonly kind: ChartKind
  readonly title: string
  /** What the x axis is called; empty for none. */
  readonly xName: string
  /** What the figures are called; empty where each series has a name of its own. */
  readonly yName: string
  /** `places` are labels side by side, in order; `numbers` lie where their number says. */
  readonly axis: 'places' | 'numbers'
  /** Whether the places are moments. */
  readonly isTime: boolean
  /** One for each place; empty on an axis of numbers. */
  readonly labels: readonly string[]
  readonly series: readonly PlotSeries[]
  /** A line goes on over places where nothing was measured; it breaks where a cell is null. */
  readonly connects: boolean
  /** What a reader should know of it, e.g. rows that were left out. */
  readonly notes: readonly string[]
}

export interface PlotSeries {
  readonly label: string
  /** One for each place. */
  readonly values: readonly (number | null)[]
  /** On an axis of numbers: where each value lies. */
  readonly at: readonly number[]
}

/** At most this much can still be read on one picture. */
export const MOST = {
  series: 12,
  slices: 12,
  spokes: 24,
  figures: 8,
  bars: 60,
  timeBars: 400,
  points: 5_000,
} as const
