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

const USUAL = 400
const BARS_THAT_FIT = 12
const FIGURES_IN_A_ROW = 4

/** Height of a picture of usual width at which everything on it is readable. */
export function chartHeight({ kind, isTime, labels, series }: Plot): number {
  if (kind === 'kpi') return 60 + 100 * Math.ceil(series.length / FIGURES_IN_A_ROW)
  const isList = (kind === 'bar' || kind === 'stacked_bar') && !isTime && labels.length > BARS_THAT_FIT
  const lines = kind === 'bar' ? labels.length * Math.min(series.length, 3) : labels.length
  return isList ? Math.max(USUAL, 120 + 20 * lines) : USUAL
}
