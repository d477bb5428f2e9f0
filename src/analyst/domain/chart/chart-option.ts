import { liveParts, type ChartLive } from './chart-live.ts'
import { FONT, SIZES, THEMES, type Theme, type ChartSize } from './chart-theme.ts'
import { figureText, labelFigure, shortFigure } from './figure-text.ts'
import { fitLabels } from './fit-labels.ts'
import { exactLabel } from './moment.ts'
import type { Plot } from './plot.ts'
import { fitText, textWidth } from './text-width.ts'

type Option = Readonly<Record<string, unknown>>

// Margin around a picture; on a page the chart aligns with the text.
const MARGIN = 24
const LIVE_MARGIN = 2
const LEGEND_ROW = 20
const LEGEND_MARK = 34
const LONGEST_NAME = 160
const MOST_LABELLED = 16

/**
 * Converts a plot to an ECharts option, for paper, file and page. It has no animation, and no text is a template. With
 * `live` the chart reacts to a pointer.
 */
export function chartOption(named: Plot, size: ChartSize, live?: ChartLive): Option {
  const plot = withOwnNames(named)
  const theme = { ...THEMES[size.theme], ...(live !== undefined && { ink: live.ink, soft: live.soft }) }
  const margin = live === undefined ? MARGIN : LIVE_MARGIN
  const legend = legendOf(plot, { ...size, margin }, theme)
  const top = (plot.title === '' ? 12 : 48) + legend.height
  return {
    animation: false,
    useUTC: true,
    backgroundColor: live?.background ?? theme.paper,
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
    ...bodyOf(plot, { size, theme, top, margin, isLive: live !== undefined }),
    ...(live !== undefined && liveParts(plot, { theme, live })),
  }
}

/**
 * Appends a space to texts such as `__proto__` and `constructor`: the library keeps text widths in a plain object,
 * where they would write into the prototype of all objects.
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

interface Frame {
  readonly size: ChartSize
  readonly theme: Theme
  /** Bottom of the title and the legend. */
  readonly top: number
  readonly margin: number
  /** Whether the chart reacts to a pointer. */
  readonly isLive: boolean
}

function bodyOf(plot: Plot, frame: Frame): Option {
  if (plot.kind === 'pie') return pie(plot, frame)
  return plot.kind === 'radar' ? radar(plot, frame) : cartesian(plot, frame)
}

/** Returns the legend and its height: the drawing begins below its rows. */
function legendOf(
  { kind, title, series }: Plot,
  { width, margin }: Pick<ChartSize, 'width'> & { margin: number },
  theme: Theme,
) {
  if (series.length < 2 || kind === 'pie') return { height: 0, option: {} }
  let [rows, used] = [1, 0]
  for (const { label } of series) {
    const own = LEGEND_MARK + (kind.endsWith('bar') ? 0 : 10) + Math.min(LONGEST_NAME, textWidth(label, SIZES.text)) + 8
    if (used > 0 && used + own > width - 2 * margin) [rows, used] = [rows + 1, 0]
    used += own
  }
  return {
    height: rows * LEGEND_ROW + 8,
    option: {
      left: margin,
      width: width - 2 * margin,
      top: title === '' ? 12 : 44,
      padding: 0,
      itemWidth: kind.endsWith('bar') ? 12 : 22,
      itemHeight: 8,
      itemGap: 14,
      ...(kind.endsWith('bar') && { icon: 'rect' }),
      formatter: shortNames(
        series.map(({ label }) => label),
        LONGEST_NAME,
      ),
      textStyle: { color: theme.soft, fontSize: SIZES.text },
    },
  }
}

/** Formats names for an axis or a legend, so that different names stay different. */
function shortNames(names: readonly string[], room: number): (name: string) => string {
  const short = fitLabels(names, room, (text) => textWidth(text, SIZES.text))
  return (name) => short.get(name) ?? name
}

function cartesian(plot: Plot, { size, theme, top, margin, isLive }: Frame): Option {
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
  const figure = barFigure(plot, isFlat ? { height: size.height - top - 52 } : { width: size.width - 100 })
  return {
    grid: {
      left: margin,
      right: margin + 8,
      top: top + (plot.yName !== '' && !isFlat ? 24 : 8),
      bottom: isFlat ? (plot.yName !== '' ? 36 : 16) : plot.isTime && plot.axis === 'places' ? 16 : 36,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: isFlat ? figures : places,
    yAxis: isFlat ? places : figures,
    series: plot.series.map((_, i) => drawnSeries(plot, { at: i, theme, isFlat, isLive, figure })),
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

/** The largest absolute figure that an axis will show, stacks summed up. */
function largest({ kind, series }: Plot): number {
  if (!kind.startsWith('stacked'))
    return series.reduce((most, { values }) => values.reduce<number>((a, b) => Math.max(a, Math.abs(b ?? 0)), most), 0)
  const sums = series[0]!.values.map((_, i) => series.reduce((sum, { values }) => sum + Math.abs(values[i] ?? 0), 0))
  return sums.reduce((a, b) => Math.max(a, b), 0)
}

/** Whether bars are horizontal: names that do not fit below their bars are placed beside them. */
function isHorizontal({ kind, isTime, labels }: Plot, { width }: Pick<ChartSize, 'width'>): boolean {
  if (isTime || (kind !== 'bar' && kind !== 'stacked_bar')) return false
  const slot = (width - 100) / Math.max(1, labels.length)
  return labels.length > MOST_LABELLED || labels.some((label) => textWidth(label, SIZES.text) > slot - 6)
}

/**
 * Whether the axis may begin above zero: a line far above zero shows how it moves; bars and areas always begin at zero.
 */
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
        formatter: plot.isTime ? exactLabel : axisFigures(furthest(plot)),
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
      ...(isCut && { formatter: shortNames(plot.labels, Math.max(60, room - 6)) }),
    },
  }
}

/** Format of the figures above bars; undefined if they would overlap. */
function barFigure(
  plot: Plot,
  room: { readonly width: number } | { readonly height: number },
): ((value: number) => string) | undefined {
  if (!plot.kind.endsWith('bar') || plot.series.length > 1) return undefined
  const { values } = plot.series[0]!
  if ('height' in room) return room.height / values.length >= SIZES.small + 2 ? labelFigure : undefined
  if (values.length > MOST_LABELLED) return undefined
  const most = largest(plot)
  const inShort = (value: number): string => shortFigure(Number(value.toPrecision(3)), most)
  const isFitting = (format: (value: number) => string): boolean =>
    values.every((value) => textWidth(format(value ?? 0), SIZES.small) + 4 <= room.width / values.length)
  return [labelFigure, inShort].find(isFitting)
}

const furthest = ({ series }: Plot): number =>
  series.reduce((most, { at }) => at.reduce((a, b) => Math.max(a, Math.abs(b)), most), 0)

const MARKED_POINTS = 40

// Series are distinguishable without colours: by the shape of their marks and by their line style.
const SHAPES = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'roundRect'] as const
const DASHES = ['solid', [7, 3], [2, 3], [10, 3, 2, 3], [5, 5]] as const

const touched = (isLive: boolean): Option =>
  isLive ? { emphasis: { focus: 'none' } } : { silent: true, emphasis: { disabled: true } }

function drawnSeries(
  plot: Plot,
  {
    at,
    theme,
    isFlat,
    isLive,
    figure,
  }: Pick<Frame, 'theme' | 'isLive'> & {
    at: number
    isFlat: boolean
    figure: ((value: number) => string) | undefined
  },
): Option {
  const { label, values, at: where } = plot.series[at]!
  const data = plot.axis === 'numbers' ? values.map((value, i) => [where[i], value]) : values
  const shared = { name: label, data, clip: false, ...touched(isLive) }
  const isOne = plot.series.length === 1
  const stack = plot.kind.startsWith('stacked') ? { stack: 'all' } : {}
  if (plot.kind === 'scatter')
    return {
      ...shared,
      type: 'scatter',
      symbol: SHAPES[at % SHAPES.length],
      symbolSize: values.length > 500 ? 4 : 7,
      itemStyle: { opacity: 0.75 },
    }
  if (plot.kind.endsWith('bar'))
    return {
      ...shared,
      ...stack,
      type: 'bar',
      barMaxWidth: isFlat ? 22 : 56,
      barCategoryGap: '30%',
      ...(figure !== undefined && {
        label: {
          show: true,
          position: isFlat ? 'right' : 'top',
          color: theme.soft,
          fontSize: SIZES.small,
          formatter: ({ value }: { value: unknown }) => (typeof value === 'number' ? figure(value) : ''),
        },
      }),
    }
  const isArea = plot.kind !== 'line'
  return {
    ...shared,
    ...stack,
    type: 'line',
    symbol: SHAPES[at % SHAPES.length],
    symbolSize: isOne ? 5 : 6,
    // A value between two gaps has no line and would be invisible without a mark.
    showSymbol: values.length <= MARKED_POINTS || values.some((value) => value === null),
    lineStyle: { width: isArea ? 1.5 : 2, type: DASHES[at % DASHES.length] },
    ...(isArea && { areaStyle: { opacity: stack.stack === undefined ? 0.18 : 0.75 } }),
  }
}

function pie({ labels, series }: Plot, { size, theme, top, isLive }: Frame): Option {
  const { label: name, values } = series[0]!
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const room = Math.max(60, size.width / 2 - Math.min(size.width, size.height - top) * 0.36 - 60)
  const nameOf = shortNames(labels, room)
  return {
    series: [
      {
        name,
        type: 'pie',
        ...touched(isLive),
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
          lineHeight: SIZES.text + 4,
          formatter: ({ name: slice, value }: { name: string; value: number }) =>
            `${nameOf(slice)}\n${labelFigure(value)} · ${figureText(Math.round((value / total) * 1_000) / 10)} %`,
        },
      },
    ],
  }
}

function radar({ labels, series }: Plot, { size, theme, top, isLive }: Frame): Option {
  const most = series.flatMap((one) => one.values).reduce<number>((max, value) => Math.max(max, value ?? 0), 0)
  const least = series.flatMap((one) => one.values).reduce<number>((min, value) => Math.min(min, value ?? 0), 0)
  return {
    radar: {
      center: ['50%', top + (size.height - top) / 2],
      radius: Math.max(40, (size.height - top) / 2 - 40),
      axisName: { color: theme.soft, formatter: shortNames(labels, LONGEST_NAME) },
      indicator: labels.map((name) => ({ name, max: most === least ? most + 1 : most, min: least })),
      splitNumber: 4,
      splitArea: { show: false },
      splitLine: { lineStyle: { color: theme.line } },
      axisLine: { lineStyle: { color: theme.line } },
    },
    series: [
      {
        type: 'radar',
        ...touched(isLive),
        symbolSize: 6,
        data: series.map(({ label, values }, i) => ({
          symbol: SHAPES[i % SHAPES.length],
          name: label,
          value: values.map((value) => value ?? 0),
          areaStyle: { opacity: 0.12 },
          lineStyle: { width: 2, color: theme.colours[i % theme.colours.length], type: DASHES[i % DASHES.length] },
          itemStyle: { color: theme.colours[i % theme.colours.length] },
        })),
      },
    ],
  }
}
