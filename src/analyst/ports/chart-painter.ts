import type { ChartSize } from '../domain/chart/chart-theme.ts'
import type { ChartData, ChartSpec } from '../domain/chart/chart.ts'

/** Draws validated charts, without a browser and without the network; the same chart is the same picture. */
export interface ChartPainter {
  svg(chart: ChartSpec, data: ChartData, size: ChartSize): Promise<string>
  png(chart: ChartSpec, data: ChartData, size: ChartSize): Promise<Uint8Array>
}
