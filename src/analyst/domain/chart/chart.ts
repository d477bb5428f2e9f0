export const CHART_KINDS = [
  'bar',
  'stacked_bar',
  'line',
  'area',
  'stacked_area',
  'pie',
  'scatter',
  'radar',
  'kpi',
] as const

export type ChartKind = (typeof CHART_KINDS)[number]

/** A chart over the stored result of a query; `read-chart.ts` makes one of what a model sends. */
export interface ChartSpec {
  /** `q_…`, of the same chat. */
  readonly query: string
  readonly kind: ChartKind
  readonly title: string
  /** The column along the x axis, or of the slices; none for a single figure. */
  readonly x?: string
  readonly series: readonly ChartSeries[]
  /** The column whose values become series, where a result has one row for each x and each of them. */
  readonly seriesBy?: string
}

export interface ChartSeries {
  readonly column: string
  readonly label?: string
}

/** A result as it is kept. */
export interface ChartData {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly ChartCell[])[]
}

export type ChartCell = string | number | boolean | null
