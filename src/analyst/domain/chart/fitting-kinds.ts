import { CHART_KINDS, type ChartData, type ChartKind, type ChartSpec } from './chart.ts'
import { readChart, type ReadChart } from './read-chart.ts'

/** The same columns as another kind of chart, if that can be drawn. */
export function asKind(chart: ChartSpec, data: ChartData, kind: ChartKind): ReadChart {
  return readChart(
    {
      query: chart.query,
      kind,
      title: chart.title,
      ...(chart.x !== undefined && { x: chart.x }),
      y: chart.series.map(({ column, label }) => ({ column, ...(label !== undefined && { label }) })),
      ...(chart.seriesBy !== undefined && kind !== 'kpi' && { series_by: chart.seriesBy }),
    },
    data,
  )
}

/** The chart kinds in which a result can be drawn, in list order. */
export const fittingKinds = (chart: ChartSpec, data: ChartData): readonly ChartKind[] =>
  CHART_KINDS.filter((kind) => kind === chart.kind || 'plot' in asKind(chart, data, kind))
