import { BarChart, LineChart, PieChart, RadarChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendPlainComponent, RadarComponent, TitleComponent } from 'echarts/components'
import { init, setPlatformAPI, use, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { chartOption } from '../domain/chart/chart-option.ts'
import type { ChartSize } from '../domain/chart/chart-theme.ts'
import { escapeXml } from '../domain/chart/kpi-svg.ts'
import type { Plot } from '../domain/chart/plot.ts'
import { textWidth } from '../domain/chart/text-width.ts'

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
setPlatformAPI({ measureText: (text, font) => ({ width: textWidth(text, sizeOf(font)) }) })

const sizeOf = (font = ''): number => Number(/(\d+(?:\.\d+)?)px/.exec(font)?.[1] ?? 12)

/** The SVG of every chart with axes, slices or spokes. */
export function paintSvg(plot: Plot, size: ChartSize): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: size.width, height: size.height })
  try {
    chart.setOption(chartOption(plot, size) as EChartsCoreOption)
    return standing(chart.renderToSVGString(), plot.title)
  } finally {
    chart.dispose()
  }
}

/**
 * Removes interactivity and clip paths. Clips have no effect here, and their ids are counted per process and would
 * collide on a page with two charts. User text cannot match, because quotes and angle brackets in it are escaped.
 */
function standing(svg: string, title: string): string {
  const bare = svg
    .replaceAll(/<(style|defs)[^>]*>[^]*?<\/\1>\s*/g, '')
    .replaceAll(/ (?:clip-path|class|ecmeta_[a-z_]+|pointer-events|baseProfile|version|xmlns:xlink)="[^"]*"/g, '')
  return title === ''
    ? bare
    : bare.replace('>', ` role="img">\n<title>${escapeXml(title).replaceAll('$', '$$$$')}</title>`)
}
