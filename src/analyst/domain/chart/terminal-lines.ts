import { displayWidth, fitWidth } from '../../../kernel/domain/view/width.ts'
import { shortFigure } from './figure-text.ts'
import { fitLabels } from './fit-labels.ts'
import { momentLabel } from './moment.ts'
import type { Plot, PlotSeries } from './plot.ts'
import { TONES } from './terminal-bars.ts'
import type { Screen } from './terminal-chart.ts'

const HEIGHT = 12
const PANEL_HEIGHT = 4
const MOST_TOGETHER = 5

/**
 * Draws lines and points on a grid of dots, eight to a character; with several series and no colour, each series has a
 * separate panel.
 */
export function terminalLines(plot: Plot, screen: Screen): string[] {
  const frame = frameOf(plot, screen)
  const hasColour = screen.view.mark('good', 'x') !== 'x'
  const isTogether = plot.series.length === 1 || (hasColour && plot.series.length <= MOST_TOGETHER)
  if (isTogether) {
    const named = plot.series.length === 1 ? [] : [together(plot, screen)]
    const title = plot.yName === '' ? [] : [screen.view.mark('dim', fitWidth(plot.yName, screen.width))]
    return [...named, ...title, ...panel(plot.series, frame, HEIGHT), ...frame.foot]
  }
  const panels = plot.series.flatMap((one) => [
    screen.view.mark('title', fitWidth(one.label, screen.width)),
    ...panel([one], frame, PANEL_HEIGHT),
  ])
  return [...panels, ...frame.foot]
}

function together({ series }: Plot, { view, width }: Screen): string {
  const room = Math.max(4, Math.floor(width / series.length) - 4)
  const names = fitLabels(
    series.map(({ label }) => label),
    room,
    displayWidth,
  )
  return series
    .map(({ label }, i) => {
      const name = `━ ${names.get(label)!}`
      const tone = TONES[i]
      return tone === undefined ? name : view.mark(tone, name)
    })
    .join('  ')
}

interface Frame {
  readonly screen: Screen
  readonly plot: Plot
  readonly least: number
  readonly most: number
  /** Columns for the figures at the left; `columns` is for the dots. */
  readonly gutter: number
  readonly columns: number
  /** Horizontal position, from 0 to 1. */
  across(series: PlotSeries, index: number): number
  readonly foot: readonly string[]
}

function frameOf(plot: Plot, screen: Screen): Frame {
  const values = plot.series.flatMap((one) => one.values).filter((value) => value !== null)
  const [low, high] = rangeOf(values)
  const isFromZero = plot.kind !== 'scatter' && (plot.kind !== 'line' || low <= 0 || (high - low) / high >= 0.3)
  const [least, most] = isFromZero ? [Math.min(0, low), Math.max(0, high)] : [low, high]
  const furthest = Math.max(Math.abs(least), Math.abs(most))
  const gutter = Math.max(...[least, most, (least + most) / 2].map((at) => scaleFigure(at, furthest).length))
  const columns = Math.max(10, screen.width - gutter - 2)
  const places = plot.series.flatMap((one) => one.at)
  const [first, last] = rangeOf(places)
  const across = ({ at }: PlotSeries, index: number): number =>
    plot.axis === 'numbers'
      ? ratio(at[index]!, first, last)
      : plot.labels.length === 1
        ? 0.5
        : index / (plot.labels.length - 1)
  const ends =
    plot.axis === 'places'
      ? [plot.labels[0] ?? '', plot.labels[Math.floor((plot.labels.length - 1) / 2)] ?? '', plot.labels.at(-1) ?? '']
      : [first, first / 2 + last / 2, last].map((at) =>
          plot.isTime
            ? momentLabel(at, last - first > 172_800_000 ? 'day' : 'minute')
            : shortFigure(at, Math.max(Math.abs(first), Math.abs(last))),
        )
  const foot = footOf([...new Set(ends)], { gutter, columns, screen })
  return { screen, plot, least, most, gutter, columns, across, foot }
}

/** Three digits: a line of characters is not more precise. */
const scaleFigure = (value: number, furthest: number): string => shortFigure(Number(value.toPrecision(3)), furthest)

const rangeOf = (values: readonly number[]): [number, number] =>
  values.reduce<[number, number]>(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [values[0] ?? 0, values[0] ?? 0],
  )

/** Halves before subtracting: the difference of two large numbers may overflow. */
const ratio = (value: number, least: number, most: number): number =>
  most === least ? 0.5 : (value / 2 - least / 2) / (most / 2 - least / 2)

function footOf(
  ends: readonly string[],
  { gutter, columns, screen }: { gutter: number; columns: number; screen: Screen },
): string[] {
  const [corner, line] = screen.ascii ? ['+', '-'] : ['└', '─']
  const fits = ends.reduce((sum, end) => sum + displayWidth(end) + 2, 0) <= columns
  const shown = fits ? ends : [ends[0]!, ends.at(-1)!].map((end) => fitWidth(end, Math.floor(columns / 2) - 1))
  const free = columns - shown.reduce((sum, end) => sum + displayWidth(end), 0)
  const gap = Math.max(1, Math.floor(free / Math.max(1, shown.length - 1)))
  const pad = ' '.repeat(gutter + 2)
  return [
    screen.view.mark('dim', `${' '.repeat(gutter + 1)}${corner}${line.repeat(columns)}`),
    screen.view.mark('dim', fitWidth(`${pad}${shown.join(' '.repeat(gap))}`, screen.width)),
  ]
}

/** Dots of a character from the top left, downwards: the bits of the braille block. */
const BITS = [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80]

function panel(series: readonly PlotSeries[], frame: Frame, rows: number): string[] {
  const { screen, plot, columns, least, most, gutter } = frame
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ({ bits: 0, owner: -1 })))
  const [wide, tall] = [columns * 2 - 1, rows * 4 - 1]
  for (const [owner, one] of series.entries()) {
    const dot = (x: number, y: number): void => {
      const cell = cells[y >> 2]![x >> 1]!
      cell.bits |= BITS[(x & 1) * 4 + (y & 3)]!
      cell.owner = owner
    }
    let before: readonly [number, number] | undefined
    for (const [index, value] of one.values.entries()) {
      if (value === null) {
        before = undefined
        continue
      }
      const at = [
        Math.round(frame.across(one, index) * wide),
        tall - Math.round(ratio(value, least, most) * tall),
      ] as const
      if (before === undefined || plot.kind === 'scatter') dot(at[0], at[1])
      else join(before, at, dot)
      before = at
    }
  }
  const furthest = Math.max(Math.abs(least), Math.abs(most))
  const scale = new Map([
    [0, scaleFigure(most, furthest)],
    [rows - 1, scaleFigure(least, furthest)],
    ...(rows > PANEL_HEIGHT ? [[rows >> 1, scaleFigure(most / 2 + least / 2, furthest)] as const] : []),
  ])
  return cells.map((row, y) => {
    const figure = (scale.get(y) ?? '').padStart(gutter)
    const edge = screen.ascii ? '|' : scale.has(y) ? '┤' : '│'
    return `${screen.view.mark('dim', `${figure} ${edge}`)}${drawnRow(row, series.length, screen)}`.trimEnd()
  })
}

function drawnRow(row: readonly { bits: number; owner: number }[], count: number, { view, ascii }: Screen): string {
  let text = ''
  for (let from = 0; from < row.length;) {
    const { owner } = row[from]!
    let to = from
    let run = ''
    for (; to < row.length && row[to]!.owner === owner; to++) run += characterOf(row[to]!.bits, ascii)
    const tone = owner < 0 ? undefined : count === 1 ? 'good' : TONES[owner]
    text += tone === undefined ? run : view.mark(tone, run)
    from = to
  }
  return text
}

const characterOf = (bits: number, ascii: boolean): string =>
  bits === 0 ? ' ' : ascii ? '*' : String.fromCodePoint(0x2800 + bits)

/** Sets all dots between two points. */
function join(
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  dot: (x: number, y: number) => void,
): void {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1)
  for (let step = 0; step <= steps; step++)
    dot(Math.round(x0 + ((x1 - x0) * step) / steps), Math.round(y0 + ((y1 - y0) * step) / steps))
}
