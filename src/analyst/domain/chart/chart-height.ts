import type { Plot } from './plot.ts'

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
