import { BarChart, LineChart, PieChart, RadarChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendPlainComponent, RadarComponent, TitleComponent } from 'echarts/components'
import { init, use, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { chartOption } from '../../../../src/analyst/domain/chart/chart-option.ts'
import type { ChartData, ChartSpec } from '../../../../src/analyst/domain/chart/chart.ts'
import { kpiSvg } from '../../../../src/analyst/domain/chart/kpi-svg.ts'
import { plotChart } from '../../../../src/analyst/domain/chart/plot-chart.ts'
import { chartHeight } from '../../../../src/analyst/domain/chart/plot.ts'

use([
  BarChart,
  GridComponent,
  LegendPlainComponent,
  LineChart,
  PieChart,
  RadarChart,
  RadarComponent,
  ScatterChart,
  SVGRenderer,
  TitleComponent,
])

const WIDTH = 900
// Twice the resolution of the SVG, for high-density screens.
const ZOOM = 2

/** Renders the same image as in a story's export. */
export function chartSvg(chart: ChartSpec, data: ChartData, theme: 'light' | 'dark'): string {
  const plotted = plotChart(chart, data)
  if ('faults' in plotted) throw new Error(plotted.faults.join(' '))
  const { plot } = plotted
  const size = { width: WIDTH, height: chartHeight(plot), theme }
  if (plot.kind === 'kpi') return kpiSvg(plot, size)
  const drawn = init(null, null, { renderer: 'svg', ssr: true, width: size.width, height: size.height })
  try {
    drawn.setOption(chartOption(plot, size) as EChartsCoreOption)
    return drawn.renderToSVGString()
  } finally {
    drawn.dispose()
  }
}

export async function chartPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth * ZOOM
    canvas.height = image.naturalHeight * ZOOM
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise<Blob>((done, failed) =>
      canvas.toBlob((blob) => (blob === null ? failed(new Error('Can’t create the image.')) : done(blob)), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}
