import { plural } from '../../../kernel/domain/text.ts'
import { labelOf, labelsOf, momentsOf, numbersOf } from './cell-values.ts'
import type { ChartCell, ChartData, ChartSpec } from './chart.ts'
import { isIrregular, lineOf, placesOf, type Places } from './places.ts'
import { MOST, type Plot, type PlotSeries } from './plot.ts'

export type Plotted = { readonly plot: Plot } | { readonly faults: readonly string[] }

/**
 * Lays out a result according to its specification, or returns faults that name the needed change. Every painter can
 * draw every plot.
 */
export function plotChart(spec: ChartSpec, data: ChartData): Plotted {
  const table = tableOf(spec, data)
  if ('faults' in table) return table
  const faults = [...countFaults(spec, table), ...typeFaults(spec, table)]
  if (faults.length > 0) return { faults }
  if (spec.kind === 'kpi') return { plot: figures(spec, table) }
  return isOnNumbers(spec, table) ? onNumbers(spec, table) : onPlaces(spec, table)
}

/** Whether points are placed by the value of x: scatter, and lines over numbers or irregular moments. */
function isOnNumbers({ kind }: ChartSpec, { x }: Table): boolean {
  if (kind === 'scatter') return true
  if (kind !== 'line' && !kind.endsWith('area')) return false
  const moments = momentsOf(x!.cells)
  if (moments !== undefined) return isIrregular(moments)
  return kind !== 'stacked_area' && numbersOf(x!.cells) !== undefined
}

export interface Table {
  readonly x: { readonly name: string; readonly cells: readonly ChartCell[] } | undefined
  readonly by: { readonly name: string; readonly labels: readonly string[] } | undefined
  readonly y: readonly {
    readonly name: string
    readonly label: string
    readonly cells: readonly ChartCell[]
    /** Undefined if a cell is not a number. */
    readonly values: readonly (number | null)[] | undefined
  }[]
  readonly size: number
}

function tableOf(spec: ChartSpec, { columns, rows }: ChartData): Table | { faults: readonly string[] } {
  const missing = [spec.x, spec.seriesBy, ...spec.series.map(({ column }) => column)].filter(
    (name) => name !== undefined && !columns.some((column) => column.name === name),
  )
  if (missing.length > 0) return { faults: missing.map((name) => `The result has no column "${labelOf(name!)}".`) }
  if (rows.length === 0) return { faults: ['The query gave no rows, so there is nothing to draw.'] }
  const cellsOf = (name: string): readonly ChartCell[] => {
    const at = columns.findIndex((column) => column.name === name)
    return rows.map((row) => row[at] ?? null)
  }
  return {
    x: spec.x === undefined ? undefined : { name: spec.x, cells: cellsOf(spec.x) },
    by: spec.seriesBy === undefined ? undefined : { name: spec.seriesBy, labels: labelsOf(cellsOf(spec.seriesBy)) },
    y: spec.series.map(({ column, label }) => {
      const cells = cellsOf(column)
      return { name: column, label: labelOf(label ?? column), cells, values: numbersOf(cells) }
    }),
    size: rows.length,
  }
}

/** Checks the number of series and rows for a kind. */
function countFaults({ kind }: ChartSpec, { x, by, y, size }: Table): string[] {
  if (y.length === 0) return ['There is no y: name at least one column of numbers.']
  if (kind === 'kpi')
    return [
      ...(size > 1 ? [`A kpi shows one row, and the result has ${size}: aggregate, or add a WHERE or LIMIT 1.`] : []),
      ...(y.length > MOST.figures ? [`A kpi shows at most ${MOST.figures} figures, not ${y.length}.`] : []),
      ...(by === undefined ? [] : ['A kpi has no series_by: leave it out.']),
    ]
  if (x === undefined) return [`A ${kind} chart needs x: the column along its ${kind === 'pie' ? 'slices' : 'x axis'}.`]
  const faults: string[] = []
  if (by !== undefined && y.length > 1) faults.push('series_by takes one column in y: the values of the series.')
  if (by !== undefined && by.name === x.name) faults.push('series_by and x must be different columns.')
  if (y.some(({ name }) => name === x.name) && kind !== 'scatter')
    faults.push(`"${labelOf(x.name)}" is x and y at once.`)
  if (kind === 'pie' && (y.length > 1 || by !== undefined))
    faults.push('A pie shows one series: name one column in y, or use a stacked_bar.')
  if ((kind === 'stacked_bar' || kind === 'stacked_area') && y.length < 2 && by === undefined)
    faults.push(`A ${kind} needs two or more columns in y, or series_by; for one series use ${kind.slice(8)}.`)
  if (y.length > MOST.series) faults.push(`At most ${MOST.series} series can be told apart, not ${y.length}.`)
  return faults
}

function typeFaults({ kind }: ChartSpec, { x, y }: Table): string[] {
  const faults = y.flatMap(({ name, cells, values }) => (values === undefined ? [noNumbers(name, cells)] : []))
  if (kind === 'scatter' && x !== undefined && numbersOf(x.cells) === undefined && momentsOf(x.cells) === undefined)
    faults.push(`A scatter needs numbers or dates on x, and "${labelOf(x.name)}" has others; use bar.`)
  const negative = kind === 'pie' ? y[0]?.values?.find((value) => value !== null && value < 0) : undefined
  if (negative !== undefined && negative !== null) faults.push(`A pie has no negative slices (${negative}): use bar.`)
  else if (kind === 'pie' && y[0]?.values?.every((value) => !value)) faults.push('All slices of the pie would be 0.')
  return faults
}

function noNumbers(name: string, cells: readonly ChartCell[]): string {
  const sample = cells.find((cell) => cell !== null && numbersOf([cell]) === undefined)
  return sample === undefined
    ? `"${labelOf(name)}" holds only NULL: there is nothing to draw on y.`
    : `"${labelOf(name)}" is not a column of numbers (${labelOf(labelOf(sample).slice(0, 30))}): y needs numbers, e.g. count(*) or sum(…).`
}

function figures(spec: ChartSpec, table: Table): Plot {
  return {
    ...basics(spec, table),
    series: distinct(table.y.map(({ label, values }) => ({ label, values: values!, at: [] }))),
  }
}

const basics = (spec: ChartSpec, { x, y }: Table) => ({
  kind: spec.kind,
  title: spec.title === '' ? '' : labelOf(spec.title),
  xName: x === undefined ? '' : labelOf(x.name),
  yName: y.length === 1 ? y[0]!.label : '',
  axis: 'places' as const,
  isTime: false,
  labels: [],
  notes: [],
})

/** Makes series names unique, as a legend distinguishes series by name alone. */
function distinct(series: readonly PlotSeries[]): readonly PlotSeries[] {
  const taken = new Set<string>()
  return series.map((one) => {
    let label = one.label
    for (let next = 2; taken.has(label); next++) label = `${one.label} (${next})`
    taken.add(label)
    return { ...one, label }
  })
}

/** Plots on a number axis; omits rows without a number on either axis. */
function onNumbers(spec: ChartSpec, table: Table): Plotted {
  const { x, by, y, size } = table
  const twice = spec.kind === 'scatter' ? [] : doubled(spec, table, placesOf(x!.cells, spec.kind))
  const crowd = [...(size > MOST.points ? [tooMany(spec, `${size} points`, MOST.points)] : []), ...twice]
  if (crowd.length > 0) return { faults: crowd }
  const places = lineOf(x!.cells)
  const groups = by === undefined ? undefined : [...new Set(by.labels)]
  if (groups !== undefined && groups.length > MOST.series) return { faults: [tooManySeries(by!.name, groups.length)] }
  const drawn = (groups ?? y.map(({ label }) => label)).map((label, i): PlotSeries => {
    const { values } = groups === undefined ? y[i]! : y[0]!
    const rows = values!.flatMap((value, row) => {
      const at = places.at[row]
      const isOther = groups !== undefined && by!.labels[row] !== label
      return value === null || at === null || at === undefined || isOther ? [] : [{ at, value }]
    })
    if (spec.kind !== 'scatter') rows.sort((a, b) => a.at - b.at)
    return { label, values: rows.map(({ value }) => value), at: rows.map(({ at }) => at) }
  })
  const series = drawn.filter(({ values }) => values.length > 0)
  if (series.length === 0) return { faults: ['No row has a number on both axes.'] }
  const lost = spec.kind === 'scatter' ? 0 : places.at.filter((at) => at === null).length
  return {
    plot: {
      ...basics(spec, table),
      axis: 'numbers',
      isTime: places.isTime,
      series: distinct(spec.kind === 'stacked_area' ? atAllPlaces(series) : series),
      notes: leftOut(lost, table),
    },
  }
}

/** Gives every series a value at every position, because a stack sums them there. */
function atAllPlaces(series: readonly PlotSeries[]): readonly PlotSeries[] {
  const at = [...new Set(series.flatMap((one) => one.at))].toSorted((a, b) => a - b)
  return series.map((one) => {
    const known = new Map(one.at.map((place, i) => [place, one.values[i]!]))
    return { ...one, at, values: at.map((place) => known.get(place) ?? 0) }
  })
}

const leftOut = (lost: number, { x }: Table): string[] =>
  lost === 0 ? [] : [`${plural(lost, 'row')} without "${labelOf(x!.name)}" left out.`]

function onPlaces(spec: ChartSpec, table: Table): Plotted {
  const places = placesOf(table.x!.cells, spec.kind)
  const groups = table.by === undefined ? undefined : [...new Set(table.by.labels)]
  const crowd = [
    ...placeFaults(spec, places, table.x!.name),
    ...(groups !== undefined && groups.length > MOST.series ? [tooManySeries(table.by!.name, groups.length)] : []),
    ...doubled(spec, table, places),
  ]
  if (crowd.length > 0) return { faults: crowd }
  const isStacked = spec.kind.startsWith('stacked')
  const present = new Set(places.ofRow)
  const laid = (values: readonly (number | null)[], isOwn: (row: number) => boolean): (number | null)[] => {
    // A stack without one of its series is still a stack; a position without any row is a gap.
    const own: (number | null)[] = places.labels.map((_, place) => (isStacked && present.has(place) ? 0 : null))
    for (const [row, place] of places.ofRow.entries())
      if (place !== undefined && isOwn(row)) own[place] = values[row] ?? (isStacked ? 0 : null)
    return own
  }
  const series =
    groups === undefined
      ? table.y.map(({ label, values }) => ({ label, values: laid(values!, () => true), at: [] }))
      : groups.map((label) => ({
          label,
          values: laid(table.y[0]!.values!, (row) => table.by!.labels[row] === label),
          at: [],
        }))
  const lost = places.ofRow.filter((place) => place === undefined).length
  return {
    plot: {
      ...basics(spec, table),
      isTime: places.isTime,
      labels: places.labels,
      series: distinct(series),
      notes: leftOut(lost, table),
    },
  }
}

/** Returns the error for too many or too few positions for a chart kind. */
function placeFaults(spec: ChartSpec, { labels, isTime }: Places, x: string): string[] {
  const count = labels.length
  const values = `${count} values of "${labelOf(x)}"`
  switch (spec.kind) {
    case 'pie':
      return count > MOST.slices ? [tooMany(spec, values, MOST.slices)] : []
    case 'radar':
      if (count < 3) return [`A radar needs at least three values of x, and "${labelOf(x)}" has ${count}: use bar.`]
      return count > MOST.spokes ? [tooMany(spec, values, MOST.spokes)] : []
    case 'bar':
    case 'stacked_bar': {
      const most = isTime ? MOST.timeBars : MOST.bars
      return count > most ? [tooMany(spec, values, most, isTime)] : []
    }
    default:
      return count > MOST.points ? [tooMany(spec, values, MOST.points, isTime)] : []
  }
}

const tooMany = ({ kind }: ChartSpec, what: string, most: number, isTime = false): string =>
  `${what} are too many for a ${kind} (at most ${most}): ${isTime ? 'group by a longer period, or use line' : 'take the top N with ORDER BY … LIMIT, or group the rest as "other"'}.`

const tooManySeries = (column: string, count: number): string =>
  `"${labelOf(column)}" would make ${count} series (at most ${MOST.series}): keep the top ${MOST.series - 1} and group the rest as "other".`

/** Returns the fault of two rows at the same position, which would hide each other. */
function doubled(spec: ChartSpec, { x, by }: Table, { ofRow, labels }: Places): string[] {
  const seen = new Set<string>()
  for (const [row, place] of ofRow.entries()) {
    if (place === undefined) continue
    const key = by === undefined ? String(place) : `${place} ${by.labels[row]!}`
    if (seen.has(key)) {
      const what = by === undefined ? `"${labelOf(x!.name)}"` : `"${labelOf(x!.name)}" and "${labelOf(by.name)}"`
      const way = by === undefined ? ', or name the column that tells them apart in series_by' : ''
      return [
        `Several rows have the same ${what} (${labels[place]}): aggregate with GROUP BY${spec.kind === 'pie' ? '' : way}.`,
      ]
    }
    seen.add(key)
  }
  return []
}
