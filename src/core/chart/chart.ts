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

/** A chart over the stored result of a query; `core/chart/validate-chart.ts` says whether it can be drawn. */
export interface ChartSpec {
  /** `q_…`, of the same chat. */
  readonly query: string
  readonly kind: ChartKind
  readonly title: string
  /** The column along the x axis, or of the slices; none for a single figure. */
  readonly x?: string
  readonly series: readonly ChartSeries[]
}

export interface ChartSeries {
  readonly column: string
  readonly label?: string
}
