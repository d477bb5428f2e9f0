import { figureText, labelFigure, shortFigure } from '../../../core/chart/figure-text.ts'
import type { Plot } from '../../../core/chart/plot.ts'
import type { ChartSize } from '../../../ports/chart-painter.ts'
import { fitText, textWidth } from './text-width.ts'
import { FONT, SIZES, THEMES, type Theme } from './theme.ts'

type Option = Readonly<Record<string, unknown>>

const MARGIN = 24
const LEGEND_ROW = 20
const LEGEND_MARK = 34
const LONGEST_NAME = 160
const MOST_LABELLED = 16

/** A plot as ECharts takes it; nothing in it moves, and no text is a template. */
export function chartOption(plot: Plot, size: ChartSize): Option {
  const theme = THEMES[size.theme]
  const legend = legendOf(plot, size, theme)
  const top = (plot.title === '' ? 12 : 48) + legend.height
  return {
    animation: false,
    useUTC: true,
    backgroundColor: theme.paper,
    color: theme.colours,
    textStyle: { fontFamily: FONT, fontSize: SIZES.text, color: theme.soft },
    ...(plot.title !== '' && {
      title: {
        text: fitText(plot.title, SIZES.title, size.width - 2 * MARGIN),
        left: MARGIN,
        top: 16,
        padding: 0,
        textStyle: { fontSize: SIZES.title, fontWeight: 'normal', fontFamily: FONT, color: theme.ink },
      },
    }),
    ...(legend.height > 0 && { legend: legend.option }),
    ...bodyOf(plot, { size, theme, top }),
  }
}

interface Frame {
  readonly size: ChartSize
  readonly theme: Theme
  /** Where the title and the legend end. */
  readonly top: number
}

function bodyOf(plot: Plot, frame: Frame): Option {
  if (plot.kind === 'pie') return pie(plot, frame)
  return plot.kind === 'radar' ? radar(plot, frame) : cartesian(plot, frame)
}

/** Rows are counted here, because the drawing has to begin below them. */
function legendOf({ kind, title, series }: Plot, { width }: ChartSize, theme: Theme) {
  if (series.length < 2 || kind === 'pie') return { height: 0, option: {} }
  let [rows, used] = [1, 0]
  for (const { label } of series) {
    const own = LEGEND_MARK + Math.min(LONGEST_NAME, textWidth(label, SIZES.text)) + 8
    if (used > 0 && used + own > width - 2 * MARGIN) [rows, used] = [rows + 1, 0]
    used += own
  }
  return {
    height: rows * LEGEND_ROW + 8,
    option: {
      left: MARGIN,
      width: width - 2 * MARGIN,
      top: title === '' ? 12 : 44,
      padding: 0,
      itemWidth: 12,
      itemHeight: 8,
      itemGap: 14,
      icon: kind === 'line' ? 'path://M0 3h12v2h-12z' : 'rect',
      formatter: (name: string) => fitText(name, SIZES.text, LONGEST_NAME),
      textStyle: { color: theme.soft, fontSize: SIZES.text },
    },
  }
}

function cartesian(plot: Plot, { size, theme, top }: Frame): Option {
  const isFlat = isHorizontal(plot, size)
  const figures = {
    type: 'value',
    ...(plot.yName !== '' && figuresName(plot.yName, { isFlat, theme })),
    scale: isScaled(plot),
    splitNumber: 4,
    axisLabel: { color: theme.soft, formatter: axisFigures(largest(plot)), hideOverlap: true },
    splitLine: { lineStyle: { color: theme.line } },
    axisLine: { show: false },
    axisTick: { show: false },
  }
  const places = placeAxis(plot, { size, theme, isFlat })
  return {
    grid: {
      left: MARGIN,
      right: MARGIN + 8,
      top: top + (plot.yName !== '' && !isFlat ? 24 : 8),
      bottom: isFlat ? (plot.yName !== '' ? 36 : 16) : plot.isTime && plot.axis === 'places' ? 16 : 36,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: isFlat ? figures : places,
    yAxis: isFlat ? places : figures,
    series: plot.series.map((_, i) => drawnSeries(plot, { at: i, theme, isFlat })),
  }
}

const figuresName = (label: string, { isFlat, theme }: { isFlat: boolean; theme: Theme }): Option => ({
  name: fitText(label, SIZES.small, LONGEST_NAME),
  nameLocation: isFlat ? 'middle' : 'end',
  nameGap: isFlat ? 26 : 10,
  nameTextStyle: { color: theme.soft, fontSize: SIZES.small, align: isFlat ? 'center' : 'left' },
})

const axisFigures =
  (most: number) =>
  (value: number): string =>
    shortFigure(value, most)

/** The figure furthest from nothing that an axis will show, stacks summed up. */
function largest({ kind, series }: Plot): number {
  if (!kind.startsWith('stacked'))
    return series.reduce((most, { values }) => values.reduce<number>((a, b) => Math.max(a, Math.abs(b ?? 0)), most), 0)
  const sums = series[0]!.values.map((_, i) => series.reduce((sum, { values }) => sum + Math.abs(values[i] ?? 0), 0))
  return sums.reduce((a, b) => Math.max(a, b), 0)
}

/** Names that do not fit under their bars are read beside them. */
function isHorizontal({ kind, isTime, labels }: Plot, { width }: Pick<ChartSize, 'width'>): boolean {
  if (isTime || (kind !== 'bar' && kind !== 'stacked_bar')) return false
  const slot = (width - 100) / Math.max(1, labels.length)
  return labels.length > MOST_LABELLED || labels.some((label) => textWidth(label, SIZES.text) > slot - 6)
}

/** A line far above nothing shows how it moves; bars and areas always begin at nothing. */
function isScaled({ kind, series }: Plot): boolean {
  if (kind === 'scatter') return true
  if (kind !== 'line') return false
  const values = series.flatMap((one) => one.values).filter((value) => value !== null)
  const [least, most] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [
    Infinity,
    -Infinity,
  ] as [number, number])
  return least > 0 && most > least && (most - least) / most < 0.3
}

function placeAxis(plot: Plot, { size, theme, isFlat }: { size: ChartSize; theme: Theme; isFlat: boolean }): Option {
  const shared = {
    name: isFlat || (plot.isTime && plot.axis === 'places') ? '' : plot.xName,
    nameLocation: 'middle',
    nameGap: 30,
    nameTextStyle: { color: theme.soft, fontSize: SIZES.small },
    axisLine: { lineStyle: { color: theme.line } },
    axisTick: { show: false },
    splitLine: { show: false },
  }
  if (plot.axis === 'numbers')
    return {
      ...shared,
      type: plot.isTime ? 'time' : 'value',
      scale: true,
      axisLabel: {
        color: theme.soft,
        hideOverlap: true,
        ...(!plot.isTime && { formatter: axisFigures(furthest(plot)) }),
      },
    }
  const room = isFlat ? Math.min(260, size.width * 0.35) : (size.width - 100) / Math.max(1, plot.labels.length)
  const isCut = isFlat || !plot.isTime
  const isAllNamed = isFlat ? plot.labels.length * 12 < size.height : plot.kind.endsWith('bar') && !plot.isTime
  return {
    ...shared,
    type: 'category',
    data: plot.labels,
    inverse: isFlat,
    boundaryGap: plot.kind.endsWith('bar'),
    axisLabel: {
      color: theme.soft,
      hideOverlap: true,
      ...(isAllNamed && { interval: 0 }),
      ...(isCut && { formatter: (label: string) => fitText(label, SIZES.text, Math.max(60, room - 6)) }),
    },
  }
}

const furthest = ({ series }: Plot): number =>
  series.reduce((most, { at }) => at.reduce((a, b) => Math.max(a, Math.abs(b)), most), 0)

const MARKED_POINTS = 40

function drawnSeries(plot: Plot, { at, theme, isFlat }: { at: number; theme: Theme; isFlat: boolean }): Option {
  const { label, values, at: where } = plot.series[at]!
  const data = plot.axis === 'numbers' ? values.map((value, i) => [where[i], value]) : values
  const shared = { name: label, data, silent: true, clip: false, emphasis: { disabled: true } }
  const stack = plot.kind.startsWith('stacked') ? { stack: 'all' } : {}
  if (plot.kind === 'scatter')
    return { ...shared, type: 'scatter', symbolSize: values.length > 500 ? 4 : 7, itemStyle: { opacity: 0.75 } }
  if (plot.kind.endsWith('bar')) {
    const isLabelled = plot.series.length === 1 && values.length <= (isFlat ? 40 : MOST_LABELLED)
    return {
      ...shared,
      ...stack,
      type: 'bar',
      barMaxWidth: isFlat ? 22 : 56,
      barCategoryGap: '30%',
      label: {
        show: isLabelled,
        position: isFlat ? 'right' : 'top',
        color: theme.soft,
        fontSize: SIZES.small,
        formatter: ({ value }: { value: unknown }) => (typeof value === 'number' ? labelFigure(value) : ''),
      },
    }
  }
  const isArea = plot.kind !== 'line'
  return {
    ...shared,
    ...stack,
    type: 'line',
    connectNulls: plot.connects,
    symbol: 'circle',
    symbolSize: 5,
    // A value between two gaps has no line: without a mark it would not be seen.
    showSymbol: values.length <= MARKED_POINTS || values.some((value) => value === null),
    lineStyle: { width: isArea ? 1.5 : 2 },
    ...(isArea && { areaStyle: { opacity: stack.stack === undefined ? 0.18 : 0.75 } }),
  }
}

function pie({ labels, series }: Plot, { size, theme, top }: Frame): Option {
  const { label: name, values } = series[0]!
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const room = Math.max(60, size.width / 2 - Math.min(size.width, size.height - top) * 0.36 - 60)
  return {
    series: [
      {
        name,
        type: 'pie',
        silent: true,
        emphasis: { disabled: true },
        top,
        bottom: 16,
        radius: ['42%', '76%'],
        startAngle: 90,
        data: values.map((value, i) => ({ name: labels[i], value: value ?? 0 })),
        itemStyle: { borderColor: theme.paper, borderWidth: 2 },
        labelLine: { lineStyle: { color: theme.line }, length: 8, length2: 10 },
        label: {
          color: theme.soft,
          fontSize: SIZES.text,
          formatter: ({ name: slice, value }: { name: string; value: number }) =>
            `${fitText(slice, SIZES.text, room)}\n${labelFigure(value)} · ${figureText(Math.round((value / total) * 1_000) / 10)} %`,
        },
      },
    ],
  }
}

function radar({ labels, series }: Plot, { size, theme, top }: Frame): Option {
  const most = series.flatMap((one) => one.values).reduce<number>((max, value) => Math.max(max, value ?? 0), 0)
  const least = series.flatMap((one) => one.values).reduce<number>((min, value) => Math.min(min, value ?? 0), 0)
  return {
    radar: {
      center: ['50%', top + (size.height - top) / 2],
      radius: Math.max(40, (size.height - top) / 2 - 40),
      axisName: { color: theme.soft, formatter: (name: string) => fitText(name, SIZES.text, LONGEST_NAME) },
      indicator: labels.map((name) => ({ name, max: most === least ? most + 1 : most, min: least })),
      splitNumber: 4,
      splitArea: { show: false },
      splitLine: { lineStyle: { color: theme.line } },
      axisLine: { lineStyle: { color: theme.line } },
    },
    series: [
      {
        type: 'radar',
        silent: true,
        emphasis: { disabled: true },
        symbolSize: 4,
        data: series.map(({ label, values }, i) => ({
          name: label,
          value: values.map((value) => value ?? 0),
          areaStyle: { opacity: 0.12 },
          lineStyle: { width: 2, color: theme.colours[i % theme.colours.length] },
          itemStyle: { color: theme.colours[i % theme.colours.length] },
        })),
      },
    ],
  }
}
