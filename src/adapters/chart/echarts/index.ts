import type { ChartSize } from '../../../core/chart/chart-size.ts'
import type { ChartData, ChartSpec } from '../../../core/chart/chart.ts'
import { kpiSvg } from '../../../core/chart/kpi-svg.ts'
import { plotChart } from '../../../core/chart/plot-chart.ts'
import { AppError } from '../../../core/errors.ts'
import type { ChartPainter } from '../../../ports/chart-painter.ts'
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
