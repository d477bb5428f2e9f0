import { chartHeight } from './domain/chart/plot.ts'
import { layOutStory, type LaidStory } from './domain/story/lay-out-story.ts'
import { queriesOf, readStory } from './domain/story/read-story.ts'
import type { LaidBlock, LaidChart } from './domain/story/story-blocks.ts'
import { storyPage } from './domain/story/story-page.ts'
import { sayMadeWith } from './domain/story/story-params.ts'
import type { Story, StoryData, StoryVersion } from './domain/story/story.ts'
import type { AnalystState } from './ports/analyst-state.ts'
import type { ChartPainter } from './ports/chart-painter.ts'
import type { PagePrinter, PrintedPicture } from './ports/page-printer.ts'
import { madeOf, resultsOf } from './story-data.ts'

/** A version of a story with the rows of its last good refresh. */
export interface OpenedStory extends LaidStory {
  readonly story: Story
  readonly version: StoryVersion
  /** Date of the story's data, and whether a refresh failed since. */
  readonly lines: readonly string[]
  /** The values that its rows were made with, as a sentence; empty without parameters. */
  readonly made: string
}

export async function openStory(state: AnalystState, story: Story, version: StoryVersion): Promise<OpenedStory> {
  const [results, data] = await Promise.all([resultsOf(state, story.id), state.stories.data(story.id)])
  const { params } = readStory(version.text)
  const made = params.length === 0 ? '' : sayMadeWith(madeOf(results, queriesOf(version.text)), params)
  return { story, version, made, lines: linesOf(story, data), ...layOutStory(version.text, results) }
}

/** The blocks for a page that nobody can change, with the values of its parameters below its title. */
function fixedBlocks({ blocks, made }: OpenedStory): readonly LaidBlock[] {
  if (made === '') return blocks
  const line: LaidBlock = { kind: 'paragraph', inside: [{ kind: 'emphasis', inside: [{ kind: 'text', text: made }] }] }
  const [first, ...rest] = blocks
  return first?.kind === 'heading' && first.level === 1 ? [first, line, ...rest] : [line, ...blocks]
}

export async function storyHtml(opened: OpenedStory, painter: ChartPainter): Promise<string> {
  const pictures = new Map<LaidChart, { light: string; dark: string }>()
  for (const { block, columns } of placedCharts(opened.blocks)) {
    const size = sizeOf(block, PAGE_WIDTHS[columns]!)
    const draw = (theme: 'light' | 'dark') => painter.svg(block.chart, block.data, { ...size, theme })
    pictures.set(block, { light: await draw('light'), dark: await draw('dark') })
  }
  const { lines, notices, story } = opened
  return storyPage({ title: story.title, lines, notices, blocks: fixedBlocks(opened), pictures })
}

export async function storyPdf(
  opened: OpenedStory,
  { painter, printer, at }: { painter: ChartPainter; printer: PagePrinter; at: Date },
): Promise<Uint8Array> {
  const pictures = new Map<LaidChart, PrintedPicture>()
  for (const { block, columns } of placedCharts(opened.blocks)) {
    const width = PAPER_WIDTHS[columns]!
    const size = sizeOf(block, width, width * TALLEST_ON_PAPER)
    pictures.set(block, { ...size, png: await painter.png(block.chart, block.data, { ...size, theme: 'light' }) })
  }
  const { lines, notices, story } = opened
  return printer.pdf({ title: story.title, lines, notices, blocks: fixedBlocks(opened), pictures, at })
}

// Chart width by the columns of the surrounding grid, in chart units. Letters are then as large as in the surrounding
// text, or a little smaller.
const PAGE_WIDTHS: Readonly<Record<number, number>> = { 1: 900, 2: 450, 3: 320, 4: 280 }
const PAPER_WIDTHS: Readonly<Record<number, number>> = { 1: 640, 2: 360, 3: 270, 4: 240 }

// A list of bars is taller.
const USUAL = 400
// Maximum ratio of height to width; a taller picture would not fit on a page.
const TALLEST_ON_PAPER = 1.3

function sizeOf({ plot }: LaidChart, width: number, tallest = Infinity): { width: number; height: number } {
  if (plot.kind === 'kpi')
    return { width, height: (plot.title === '' ? 100 : 130) + 80 * (Math.ceil((plot.series.length * 160) / width) - 1) }
  const whole = chartHeight(plot)
  return {
    width,
    height: Math.round(whole > USUAL ? Math.min(whole, tallest) : Math.max(230, Math.min(USUAL, width * 0.6))),
  }
}

function placedCharts(blocks: readonly LaidBlock[], columns = 1): { block: LaidChart; columns: number }[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'grid') return block.cells.flatMap((cell) => placedCharts(cell, block.columns))
    return block.kind === 'chart' ? [{ block, columns }] : []
  })
}

function linesOf({ lastRefresh }: Story, data: readonly StoryData[]): readonly string[] {
  const times = data.map(({ at }) => at).toSorted()
  const [oldest, newest] = [times[0], times.at(-1)]
  const asOf =
    oldest === undefined
      ? []
      : [
          `Data as of ${minuteOf(oldest)}${minuteOf(oldest) === minuteOf(newest!) ? '' : ` to ${minuteOf(newest!)}`} UTC.`,
        ]
  if (lastRefresh === undefined || lastRefresh.ok) return asOf
  return [
    ...asOf,
    `The refresh of ${minuteOf(lastRefresh.at)} UTC failed, so this is the last good data: ${lastRefresh.problem ?? ''}`,
  ]
}

const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ')
