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

/** A chart over the stored result of a query; `read-chart.ts` creates one from a model's input. */
export interface ChartSpec {
  /** Query id `q_…` of the same chat. */
  readonly query: string
  readonly kind: ChartKind
  readonly title: string
  /** The column of the x axis, or of the slices; none for a single figure. */
  readonly x?: string
  readonly series: readonly ChartSeries[]
  /** The column that splits rows into series, if a result has one row for each x and series. */
  readonly seriesBy?: string
}

export interface ChartSeries {
  readonly column: string
  readonly label?: string
}

/** A stored result. */
export interface ChartData {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly ChartCell[])[]
}

export type ChartCell = string | number | boolean | null
