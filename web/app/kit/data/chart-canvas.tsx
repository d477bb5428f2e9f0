import { BarChart, LineChart, PieChart, RadarChart, ScatterChart } from 'echarts/charts'
import {
  AriaComponent,
  GridComponent,
  LegendPlainComponent,
  RadarComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components'
import { init, use, type ECharts, type EChartsCoreOption } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { chartFigures, figuresLine } from '../../../../src/analyst/domain/chart/chart-figures.ts'
import { chartOption } from '../../../../src/analyst/domain/chart/chart-option.ts'
import type { Plot } from '../../../../src/analyst/domain/chart/plot.ts'
import { tokenOf, useColourTheme } from './use-colour-theme.ts'

use([
  AriaComponent,
  BarChart,
  CanvasRenderer,
  GridComponent,
  LegendPlainComponent,
  LineChart,
  PieChart,
  RadarChart,
  RadarComponent,
  ScatterChart,
  TitleComponent,
  TooltipComponent,
])

interface ChartCanvasProps {
  readonly plot: Plot
  readonly title: string
  readonly width: number
  readonly height: number
}

/** The canvas; loaded by the first visible chart. */
export default function ChartCanvas({ plot, title, width, height }: ChartCanvasProps) {
  const theme = useColourTheme()
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<ECharts>(undefined)
  useEffect(() => {
    const chart = init(place.current, null, { renderer: 'canvas' })
    drawn.current = chart
    return () => chart.dispose()
  }, [])
  useEffect(() => {
    const live = {
      background: 'transparent',
      raised: tokenOf('--raised'),
      ink: tokenOf('--ink'),
      soft: tokenOf('--soft'),
    }
    drawn.current?.resize({ width, height })
    drawn.current?.setOption(chartOption(plot, { width, height, theme }, live) as EChartsCoreOption, true)
  }, [plot, width, height, theme])
  return (
    <div ref={place} role="img" aria-label={inWords(plot, title)} style={{ inlineSize: width, blockSize: height }} />
  )
}

const MOST_TOLD = 6

function inWords(plot: Plot, title: string): string {
  const figures = chartFigures(plot)
  const rest = figures.length - MOST_TOLD
  return [
    `${plot.kind.replace('_', ' ')} chart${title === '' ? '' : `: ${title}`}.`,
    ...figures.slice(0, MOST_TOLD).map((one) => `${figuresLine(one)}.`),
    ...(rest > 0 ? [`${rest} more series.`] : []),
  ].join(' ')
}
