import { AppError } from '../../../core/errors.ts'
import type { ChartPainter } from '../../../ports/chart-painter.ts'

/** Draws charts with ECharts, without a browser. */
export function openEchartsPainter(): ChartPainter {
  const missing = async (): Promise<never> => {
    throw new AppError('internal', 'Charts cannot be drawn yet.')
  }
  return { svg: missing, png: missing }
}
