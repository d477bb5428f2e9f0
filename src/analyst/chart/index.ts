import { AppError } from '../../kernel/domain/errors.ts'
import type { ChartSize } from '../domain/chart/chart-size.ts'
import type { ChartData, ChartSpec } from '../domain/chart/chart.ts'
import { kpiSvg } from '../domain/chart/kpi-svg.ts'
import { plotChart } from '../domain/chart/plot-chart.ts'
import type { ChartPainter } from '../ports/chart-painter.ts'
import { paintPng } from './paint-png.ts'

/** Draws charts with ECharts, without a browser. The library is loaded by the first chart. */
export function openEchartsPainter(): ChartPainter {
  const svg = async (chart: ChartSpec, data: ChartData, size: ChartSize): Promise<string> => {
    const plotted = plotChart(chart, data)
    if ('faults' in plotted) throw new AppError('invalid_input', plotted.faults.join(' '))
    if (plotted.plot.kind === 'kpi') return kpiSvg(plotted.plot, size)
    return (await import('./paint-svg.ts')).paintSvg(plotted.plot, size)
  }
  return { svg, png: async (chart, data, size) => paintPng(await svg(chart, data, size)) }
}
