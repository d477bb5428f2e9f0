import type { View } from '../../../kernel/domain/view/view.ts'
import { fitWidth, padWidth, displayWidth, wrapWidth } from '../../../kernel/domain/view/width.ts'
import { figureText } from './figure-text.ts'
import type { Plot } from './plot.ts'
import { terminalBars } from './terminal-bars.ts'
import { terminalLines } from './terminal-lines.ts'

export interface TerminalChartOptions {
  /** ASCII only, for terminals and fonts without block characters. */
  readonly ascii?: boolean
}

/** Layout of a chart in a terminal. */
export interface Screen {
  readonly view: View
  /** Maximum columns of a line. */
  readonly width: number
  readonly ascii: boolean
}

const WIDEST = 120
const IN_A_PIPE = 72
// More bars than this are drawn as a line.
const MOST_TIME_BARS = 31

/** A chart in characters, line by line. Its texts come from a plot, so they contain no terminal control characters. */
export function terminalChart(plot: Plot, view: View, { ascii = false }: TerminalChartOptions = {}): string[] {
  const screen: Screen = { view, ascii, width: view.width === Infinity ? IN_A_PIPE : Math.min(view.width, WIDEST) }
  const lines = [
    ...(plot.title === '' ? [] : wrapWidth(plot.title, screen.width).map((line) => view.mark('title', line))),
    ...bodyOf(plot, screen),
    ...plot.notes.flatMap((note) => wrapWidth(note, screen.width).map((line) => view.mark('dim', line))),
  ]
  return ascii ? lines.map((line) => line.replaceAll('…', '~').replaceAll('·', '-').replaceAll('━', '=')) : lines
}

function bodyOf(plot: Plot, screen: Screen): string[] {
  if (plot.kind === 'kpi') return figures(plot, screen)
  const isCrowded = plot.isTime && plot.labels.length > MOST_TIME_BARS
  const isBars = ['bar', 'stacked_bar', 'pie', 'radar'].includes(plot.kind) && !isCrowded
  return isBars ? terminalBars(plot, screen) : terminalLines(plot, screen)
}

/** Each figure after its name. */
function figures({ series }: Plot, { view, width }: Screen): string[] {
  const shown = series.map(({ values }) => figureText(values[0] ?? 0))
  const room = Math.max(...shown.map((figure) => displayWidth(figure)))
  const names = Math.max(4, width - room - 2)
  const widest = Math.min(names, Math.max(...series.map(({ label }) => displayWidth(label))))
  return series.map(({ label }, i) =>
    [padWidth(fitWidth(label, widest), widest), view.mark('title', shown[i]!.padStart(room))].join('  '),
  )
}
