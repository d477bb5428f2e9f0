import { FONT, SIZES, type Theme } from './chart-theme.ts'
import { figureText } from './figure-text.ts'
import { exactLabel } from './moment.ts'
import type { Plot } from './plot.ts'

/** Additional options of a chart on a page. */
export interface ChartLive {
  /** Background colour; `transparent` for the page itself. */
  readonly background: string
  /** Background colour of the tooltip. */
  readonly raised: string
  readonly ink: string
  readonly soft: string
}

type Option = Readonly<Record<string, unknown>>

/**
 * Tooltip, and patterns in addition to colours. The tooltip is drawn on the canvas because a page accepts no styles
 * from scripts.
 */
export function liveParts(plot: Plot, { theme, live }: { theme: Theme; live: ChartLive }): Option {
  const isFilled = plot.kind.endsWith('bar') || plot.kind === 'pie' || plot.kind.endsWith('area')
  const isSeveral = plot.series.length > 1 || plot.kind === 'pie'
  return {
    aria: { enabled: true, label: { enabled: false }, decal: { show: isFilled && isSeveral } },
    tooltip: {
      renderMode: 'richText',
      trigger: isByItem(plot) ? 'item' : 'axis',
      confine: true,
      transitionDuration: 0,
      backgroundColor: live.raised,
      borderColor: theme.line,
      borderWidth: 1,
      padding: [8, 10],
      textStyle: { color: theme.ink, fontSize: SIZES.text, fontFamily: FONT, lineHeight: 18 },
      axisPointer: { type: plot.kind.endsWith('bar') ? 'shadow' : 'line', lineStyle: { color: theme.soft } },
      formatter: (pointed: Pointed | readonly Pointed[]) =>
        [pointed]
          .flat()
          .flatMap((one, at) => noteLines(plot, one as Pointed, at === 0))
          .map(untouched)
          .join('\n'),
    },
  }
}

const isByItem = ({ kind }: Plot): boolean => kind === 'pie' || kind === 'radar' || kind === 'scatter'

/** The part used of ECharts' data about the element under the pointer. */
interface Pointed {
  readonly name?: string
  readonly seriesName?: string
  readonly value?: unknown
}

function noteLines(plot: Plot, { name = '', seriesName = '', value }: Pointed, isFirst: boolean): string[] {
  if (plot.kind === 'radar')
    return [name, ...plot.labels.map((label, at) => `${label}  ${figureOf((value as readonly unknown[])[at])}`)]
  const [x, y] = plot.axis === 'numbers' && Array.isArray(value) ? (value as [number, unknown]) : [undefined, value]
  const place = x === undefined ? name : plot.isTime ? exactLabel(x) : `${plot.xName} ${figureText(x)}`.trim()
  const figure = `${plot.kind === 'pie' ? plot.yName : seriesName}  ${figureOf(y)}`.trim()
  return isFirst || isByItem(plot) ? [place, figure] : [figure]
}

const figureOf = (value: unknown): string => (typeof value === 'number' ? figureText(value) : '–')

/** Escapes braces: rich text takes `{name|text}` for a style, and an invisible joiner prevents that. */
const untouched = (line: string): string => line.replaceAll('{', '{\u2060')
