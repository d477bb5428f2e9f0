import { closeMatch } from '../../../kernel/domain/close-match.ts'
import { labelOf, momentsOf, numbersOf } from './cell-values.ts'
import {
  CHART_KINDS,
  type ChartCell,
  type ChartData,
  type ChartKind,
  type ChartSeries,
  type ChartSpec,
} from './chart.ts'
import { plotChart } from './plot-chart.ts'
import type { Plot } from './plot.ts'

/** A chart as requested by a model or a person. */
export interface ChartWish {
  readonly query: string
  readonly kind: string
  readonly title?: string | undefined
  readonly x?: string | undefined
  /** Column names, or objects with a column name under some key and perhaps a label. */
  readonly y?: unknown
  readonly series_by?: string | undefined
}

export type ReadChart =
  | { readonly chart: ChartSpec; readonly plot: Plot }
  /** One line each, naming the change needed. */
  | { readonly faults: readonly string[] }

/**
 * Resolves a requested chart: accepts alternative names of kinds, column names in a different case, and a missing
 * column if only one fits. Rejects a chart that cannot be drawn.
 */
export function readChart(wish: ChartWish, data: ChartData): ReadChart {
  const kind = kindNamed(wish.kind)
  if (kind === undefined)
    return { faults: [`There is no chart "${labelOf(wish.kind)}". Kinds: ${CHART_KINDS.join(', ')}.`] }
  if (data.rows.length === 0) return { faults: ['The query gave no rows, so there is nothing to draw.'] }
  const faults: string[] = []
  const named = (name: string): string => {
    const found = columnNamed(name, data)
    if (found === undefined) faults.push(noColumn(name, data))
    return found ?? name
  }
  const x = wish.x === undefined || wish.x === '' ? undefined : named(wish.x)
  const seriesBy = wish.series_by === undefined || wish.series_by === '' ? undefined : named(wish.series_by)
  const series = seriesIn(wish.y, data).map((one) => ({ ...one, column: named(one.column) }))
  if (faults.length > 0) return { faults: [...new Set(faults)] }
  const given = { query: wish.query, kind, title: wish.title?.trim() ?? '', ...(x !== undefined && { x }), series }
  const chart = completed({ ...given, ...(seriesBy !== undefined && { seriesBy }) }, data)
  const plotted = plotChart(chart, data)
  return 'faults' in plotted ? plotted : { chart, plot: plotted.plot }
}

const OTHER_KINDS: Readonly<Record<string, ChartKind>> = {
  column: 'bar',
  barh: 'bar',
  horizontalbar: 'bar',
  groupedbar: 'bar',
  clusteredbar: 'bar',
  stacked: 'stacked_bar',
  barstacked: 'stacked_bar',
  stackedcolumn: 'stacked_bar',
  areastacked: 'stacked_area',
  timeseries: 'line',
  spline: 'line',
  donut: 'pie',
  doughnut: 'pie',
  point: 'scatter',
  scatterplot: 'scatter',
  bubble: 'scatter',
  spider: 'radar',
  kpicard: 'kpi',
  card: 'kpi',
  metric: 'kpi',
  number: 'kpi',
  bignumber: 'kpi',
  singlevalue: 'kpi',
}

const LONGEST_KIND = 40

function kindNamed(given: string): ChartKind | undefined {
  if (given.length > LONGEST_KIND) return undefined
  const word = folded(given).replace(/(?:chart|graph|plot|diagram)$/, '')
  const alone = word.replace(/s$/, '')
  const own = CHART_KINDS.find((kind) => [word, alone].includes(folded(kind)))
  return own ?? (Object.hasOwn(OTHER_KINDS, alone) ? OTHER_KINDS[alone] : undefined)
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
const LONGEST_NAME = 500

/** Finds a column by its exact name, in other case, or in another spelling that matches only one column. */
function columnNamed(given: string, { columns }: ChartData): string | undefined {
  const names = columns.map(({ name }) => name)
  if (names.includes(given)) return given
  if (given.length > LONGEST_NAME) return undefined
  const bare = given.trim().replace(/^(["'`[])(.*)["'`\]]$/, '$2')
  for (const same of [
    (name: string) => name === bare,
    (name: string) => name.toLowerCase() === bare.toLowerCase(),
    (name: string) => folded(name) !== '' && folded(name) === folded(bare),
  ]) {
    const found = [...new Set(names.filter(same))]
    if (found.length === 1) return found[0]
  }
  return undefined
}

const MOST_NAMED = 12

function noColumn(name: string, { columns }: ChartData): string {
  const names = columns.map((column) => column.name)
  const near = name.length > LONGEST_NAME ? undefined : closeMatch(name, names)
  const known = names.slice(0, MOST_NAMED).map(labelOf).join(', ')
  const rest = names.length > MOST_NAMED ? ', …' : ''
  const way = near === undefined ? `Columns: ${known}${rest}.` : `Did you mean "${labelOf(near)}"?`
  return `The result has no column "${labelOf(name)}". ${way}`
}

const COLUMN_KEYS = ['column', 'data_key', 'datakey', 'dataKey', 'key', 'field', 'y', 'value', 'name', 'id']
const LABEL_KEYS = ['label', 'title', 'name', 'legend']

/** One column as text, several separated by commas, a list of either, or of objects. */
function seriesIn(given: unknown, data: ChartData): readonly ChartSeries[] {
  if (given === undefined || given === null || given === '') return []
  if (Array.isArray(given)) return given.flatMap((one) => seriesIn(one, data))
  if (typeof given === 'object') {
    const fields = given as Readonly<Record<string, unknown>>
    const text = (keys: readonly string[]) =>
      keys.map((key) => (Object.hasOwn(fields, key) ? fields[key] : undefined)).find((one) => typeof one === 'string')
    const column = text(COLUMN_KEYS)
    const label = text(LABEL_KEYS)
    if (column === undefined) return []
    return [{ column: column as string, ...(label !== undefined && label !== column && { label: label as string }) }]
  }
  const text = String(given)
  const parts = columnNamed(text, data) === undefined ? text.split(',').map((part) => part.trim()) : [text]
  return parts.filter((part) => part !== '').map((column) => ({ column }))
}

/** Fills in missing fields if the result leaves one choice. */
function completed(chart: ChartSpec, data: ChartData): ChartSpec {
  const cellsOf = (column: string): readonly ChartCell[] => {
    const at = data.columns.findIndex(({ name }) => name === column)
    return data.rows.map((row) => row[at] ?? null)
  }
  const taken = new Set([chart.x, chart.seriesBy, ...chart.series.map(({ column }) => column)])
  const free = [...new Set(data.columns.map(({ name }) => name))].filter((name) => !taken.has(name))
  const numeric = free.filter((name) => numbersOf(cellsOf(name)) !== undefined)
  const others = free.filter((name) => !numeric.includes(name))
  if (chart.kind === 'kpi') {
    const { x: _x, ...single } = chart
    return chart.series.length > 0 ? single : { ...single, series: numeric.map((column) => ({ column })) }
  }
  if (chart.x === undefined) {
    const x = onlyOne(others) ?? onlyOne(others.filter((name) => momentsOf(cellsOf(name)) !== undefined))
    const year = others.length > 0 ? undefined : free.find((name) => momentsOf(cellsOf(name)) !== undefined)
    const chosen = x ?? (free.length > 1 ? year : undefined)
    if (chosen !== undefined) return completed({ ...chart, x: chosen }, data)
  }
  const only = onlyOne(numeric)
  if (chart.series.length === 0 && only !== undefined) return completed({ ...chart, series: [{ column: only }] }, data)
  const by = chart.x === undefined || !canBeSplit(chart) ? undefined : splitting(chart.x, others, cellsOf)
  return by === undefined ? chart : { ...chart, seriesBy: by }
}

const onlyOne = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined)

const canBeSplit = ({ kind, series, seriesBy }: ChartSpec): boolean =>
  seriesBy === undefined && series.length === 1 && kind !== 'pie' && kind !== 'scatter'

/** The only text column that distinguishes rows with the same x. */
function splitting(
  x: string,
  others: readonly string[],
  cellsOf: (column: string) => readonly ChartCell[],
): string | undefined {
  const at = cellsOf(x)
  const isDistinct = (cells: readonly (readonly ChartCell[])[]): boolean =>
    new Set(at.map((_, row) => JSON.stringify(cells.map((column) => column[row])))).size === at.length
  if (isDistinct([at])) return undefined
  return onlyOne(others.filter((name) => isDistinct([at, cellsOf(name)])))
}
