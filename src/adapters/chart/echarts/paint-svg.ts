import { BarChart, LineChart, PieChart, RadarChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendPlainComponent, RadarComponent, TitleComponent } from 'echarts/components'
import { init, setPlatformAPI, use, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Plot } from '../../../core/chart/plot.ts'
import type { ChartSize } from '../../../ports/chart-painter.ts'
import { chartOption } from './chart-option.ts'
import { escapeXml } from './kpi-svg.ts'
import { textWidth } from './text-width.ts'

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

/** The SVG of everything that has axes, slices or spokes. */
export function paintSvg(plot: Plot, size: ChartSize): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: size.width, height: size.height })
  try {
    chart.setOption(chartOption(withOwnNames(plot), size) as EChartsCoreOption)
    return standing(chart.renderToSVGString(), plot.title)
  } finally {
    chart.dispose()
  }
}

/**
 * The library keeps the widths of texts in a plain object: one that is called `__proto__` or `constructor` would be
 * written into what all objects have. A space behind it makes it a name of its own.
 */
function withOwnNames(plot: Plot): Plot {
  const own = (text: string): string => (text in Object.prototype ? `${text} ` : text)
  return {
    ...plot,
    title: own(plot.title),
    xName: own(plot.xName),
    yName: own(plot.yName),
    labels: plot.labels.map(own),
    series: plot.series.map((one) => ({ ...one, label: own(one.label) })),
  }
}

/**
 * Without what makes it answer to a pointer, and without clips, which cut nothing here: their names are counted through
 * the life of a process, and would meet on a page with two charts. User text cannot be met, because quotes and angle
 * brackets in it are escaped.
 */
function standing(svg: string, title: string): string {
  const bare = svg
    .replaceAll(/<(style|defs)[^>]*>[^]*?<\/\1>\s*/g, '')
    .replaceAll(/ (?:clip-path|class|ecmeta_[a-z_]+|pointer-events|baseProfile|version|xmlns:xlink)="[^"]*"/g, '')
  return title === ''
    ? bare
    : bare.replace('>', ` role="img">\n<title>${escapeXml(title).replaceAll('$', '$$$$')}</title>`)
}
