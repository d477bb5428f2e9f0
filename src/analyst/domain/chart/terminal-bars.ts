import { plural } from '../../../kernel/domain/text.ts'
import type { Tone } from '../../../kernel/domain/view/styled.ts'
import { displayWidth, fitWidth, padWidth } from '../../../kernel/domain/view/width.ts'
import { labelFigure } from './figure-text.ts'
import { fitLabels } from './fit-labels.ts'
import type { Plot } from './plot.ts'
import type { Screen } from './terminal-chart.ts'

const MOST_PLACES = 40
const LEAST_BAR = 8
const FILLS = ['█', '▓', '▒', '░']
const ASCII_FILLS = ['#', '=', '+', '-']
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

interface Bar {
  readonly name: string
  readonly parts: readonly number[]
  readonly figure: string
  readonly tone: Tone | undefined
}

/** One line for each bar: name, bar and value. */
export function terminalBars(plot: Plot, screen: Screen): string[] {
  const shown = plot.labels.slice(0, MOST_PLACES)
  const left = plot.labels.length - shown.length
  const isStacked = plot.kind === 'stacked_bar' && plot.series.length <= FILLS.length && !hasNegative(plot)
  const bars = isStacked ? stacks(plot, shown) : shown.flatMap((label, place) => group(plot, label, place))
  const lines = drawBars(bars, screen)
  const rest = left === 0 ? [] : [screen.view.mark('dim', `… and ${plural(left, 'more value')} of ${plot.xName}`)]
  const named =
    plot.yName === '' || plot.kind === 'pie' ? [] : [screen.view.mark('dim', fitWidth(plot.yName, screen.width))]
  return [...(isStacked ? [...legend(plot, screen), ...named] : named), ...lines, ...rest]
}

const hasNegative = ({ series }: Plot): boolean => series.some(({ values }) => values.some((value) => (value ?? 0) < 0))

const stacks = ({ series }: Plot, labels: readonly string[]): Bar[] =>
  labels.map((name, place) => {
    const parts = series.map(({ values }) => values[place] ?? 0)
    return { name, parts, figure: labelFigure(parts.reduce((sum, part) => sum + part, 0)), tone: undefined }
  })

/** The bars of one position: one, or one for each series. */
function group({ kind, series }: Plot, label: string, place: number): Bar[] {
  if (series.length === 1) {
    const { values } = series[0]!
    const value = values[place] ?? null
    const total = values.reduce<number>((sum, one) => sum + (one ?? 0), 0)
    const share = kind === 'pie' ? ` · ${labelFigure(Math.round(((value ?? 0) / total) * 1_000) / 10)} %` : ''
    return [
      { name: label, parts: [value ?? 0], figure: value === null ? '' : labelFigure(value) + share, tone: 'good' },
    ]
  }
  return series.map(({ label: name, values }, i) => {
    const value = values[place] ?? null
    return {
      name: `${i === 0 ? label : ''}\t${name}`,
      parts: [value ?? 0],
      figure: value === null ? '' : labelFigure(value),
      tone: TONES[i % TONES.length],
    }
  })
}

export const TONES: readonly (Tone | undefined)[] = ['good', 'warning', 'match', 'bad', undefined]

function legend({ series }: Plot, { view, width, ascii }: Screen): string[] {
  const fills = ascii ? ASCII_FILLS : FILLS
  const room = Math.max(4, Math.floor(width / series.length) - 4)
  const labels = series.map(({ label }) => label)
  const short = fitLabels(labels, room, displayWidth)
  const names = labels.map((label, i) => `${fills[i]} ${short.get(label)!}`)
  return [view.mark('dim', fitWidth(names.join('  '), width))]
}

function drawBars(bars: readonly Bar[], screen: Screen): string[] {
  const { view, width } = screen
  const names = namesOf(bars, Math.floor(width * 0.4))
  const figures = Math.min(Math.floor(width / 3), Math.max(...bars.map(({ figure }) => displayWidth(figure))))
  const room = Math.max(LEAST_BAR, width - displayWidth(names[0] ?? '') - figures - 3)
  const sums = bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))
  const [least, most] = [Math.min(0, ...sums), Math.max(0, ...sums)]
  // Halves first: the difference of two large numbers may overflow.
  const scale = most / 2 - least / 2 || 1
  const columnsOf = (value: number): number => (value / 2 / scale) * room || 0
  const zero = Math.round(columnsOf(-least))
  return bars.map(({ parts, figure, tone }, i) => {
    const drawn =
      parts.length > 1
        ? stacked(parts.map(columnsOf), screen)
        : sums[i]! < 0
          ? negative(columnsOf(-sums[i]!), zero, screen)
          : ' '.repeat(zero) + positive(Math.min(columnsOf(sums[i]!), room - zero), screen)
    const bar = tone === undefined ? drawn : view.mark(tone, drawn)
    return `${names[i]} ${bar} ${view.mark('dim', fitWidth(figure, figures))}`.trimEnd()
  })
}

/** Aligns the names in columns; series names follow the name of their position. */
function namesOf(bars: readonly Bar[], most: number): string[] {
  const pairs = bars.map(({ name }) => name.split('\t'))
  const isGrouped = pairs.some(([, second]) => second !== undefined)
  const share = isGrouped ? Math.floor((most - 1) / 2) : most
  const widthOf = (at: number) => Math.min(share, Math.max(0, ...pairs.map((pair) => displayWidth(pair[at] ?? ''))))
  const [first, second] = [widthOf(0), widthOf(1)]
  const fitted = (at: number, width: number) => {
    const texts = pairs.map((pair) => pair[at] ?? '')
    const short = fitLabels(texts, width, displayWidth)
    return texts.map((text) => padWidth(short.get(text)!, width))
  }
  const [places, series] = [fitted(0, first), fitted(1, second)]
  return places.map((place, i) => (isGrouped ? `${place} ${series[i]}` : place))
}

function positive(columns: number, { ascii }: Screen): string {
  if (ascii) return '#'.repeat(columns > 0 ? Math.max(1, Math.round(columns)) : 0)
  const whole = Math.floor(columns)
  // A non-zero value is never shown as zero.
  const rest = EIGHTHS[Math.floor((columns - whole) * 8)]! || (whole === 0 && columns > 0 ? '▏' : '')
  return FILLS[0]!.repeat(whole) + rest
}

function negative(columns: number, zero: number, { ascii }: Screen): string {
  const length = Math.min(zero, Math.max(1, Math.round(columns)))
  return ' '.repeat(zero - length) + (ascii ? '#' : '█').repeat(length)
}

function stacked(parts: readonly number[], { ascii }: Screen): string {
  const fills = ascii ? ASCII_FILLS : FILLS
  let [sum, drawn] = [0, 0]
  return parts
    .map((part, i) => {
      sum += part
      const length = Math.max(0, Math.round(sum) - drawn)
      drawn += length
      return fills[i]!.repeat(length)
    })
    .join('')
}
