import { figureText } from './figure-text.ts'
import { exactLabel } from './moment.ts'
import type { Plot, PlotSeries } from './plot.ts'

export interface SeriesFigures {
  readonly series: string
  readonly first: Figure
  readonly last: Figure
  readonly min: Figure
  readonly max: Figure
}

export interface Figure {
  readonly value: number
  /** Label of the value's x position. */
  readonly at: string
}

/** Key figures of each series; series without a value are omitted. */
export function chartFigures(plot: Plot): readonly SeriesFigures[] {
  return plot.series.flatMap((series) => {
    const shown = series.values.flatMap((value, i) => (value === null ? [] : [{ value, at: placeOf(plot, series, i) }]))
    const [first] = shown
    if (first === undefined) return []
    return [
      {
        series: series.label,
        first,
        last: shown.at(-1)!,
        min: shown.reduce((least, one) => (one.value < least.value ? one : least)),
        max: shown.reduce((most, one) => (one.value > most.value ? one : most)),
      },
    ]
  })
}

function placeOf({ axis, isTime, labels }: Plot, { at }: PlotSeries, index: number): string {
  if (axis === 'places') return labels[index] ?? ''
  return isTime ? exactLabel(at[index]!) : figureText(at[index]!)
}

/** Renders `revenue: first 10 (Jan 2026), last 20 (Mar 2026), min …, max …`; a single value appears once. */
export function figuresLine({ series, first, last, min, max }: SeriesFigures): string {
  const said = ({ value, at }: Figure): string => (at === '' ? figureText(value) : `${figureText(value)} (${at})`)
  if (first.at === last.at && min.value === max.value) return `${series}: ${said(first)}`
  return `${series}: first ${said(first)}, last ${said(last)}, min ${said(min)}, max ${said(max)}`
}
