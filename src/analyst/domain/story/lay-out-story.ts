import { cellText, isNumeric } from '../../../context/domain/results/cell-text.ts'
import { readChart } from '../chart/read-chart.ts'
import { readStory } from './read-story.ts'
import type { LaidBlock, LaidTable, StoryBlock, StoryFault, StoryTable } from './story-blocks.ts'
import { checkNumbers } from './story-numbers.ts'
import type { StoryResult } from './story-result.ts'

export interface LaidStory {
  readonly blocks: readonly LaidBlock[]
  /** Faults of the text and its sources, by line. */
  readonly faults: readonly StoryFault[]
  /** Unreliable numbers, listed at the top of the story. */
  readonly notices: readonly string[]
}

/** Fills the rows of queries into a story. Parts that cannot be drawn are reported; the rest is kept. */
export function layOutStory(text: string, results: ReadonlyMap<string, StoryResult>): LaidStory {
  const read = readStory(text)
  const faults = [...read.faults]
  const blocks = read.blocks.map((block) => layOut(block, results, faults))
  return { ...checkNumbers(blocks, results), faults: faults.toSorted((a, b) => a.line - b.line) }
}

function layOut(block: StoryBlock, results: ReadonlyMap<string, StoryResult>, faults: StoryFault[]): LaidBlock {
  if (block.kind === 'grid')
    return { ...block, cells: block.cells.map((cell) => cell.map((one) => layOut(one, results, faults))) }
  if (block.kind !== 'chart' && block.kind !== 'table') return block
  const problem = (message: string): LaidBlock => {
    faults.push({ line: block.line, message })
    return { kind: 'problem', text: message }
  }
  const { query } = block.kind === 'chart' ? block.chart : block.table
  const result = results.get(query)
  if (result === undefined) return problem(`there is no result of ${query} to draw from`)
  if (block.kind === 'table') return layOutTable(block.table, result)
  const read = readChart(block.chart, result)
  return 'faults' in read
    ? problem(`the chart of ${query} cannot be drawn: ${read.faults.join(' ')}`)
    : { kind: 'chart', chart: read.chart, data: result, plot: read.plot }
}

function layOutTable({ title, limit }: StoryTable, { columns, rows, cut }: StoryResult): LaidTable {
  const shown = rows.slice(0, limit)
  const all = `${cut ? 'more than ' : ''}${rows.length.toLocaleString('en-US')} rows`
  return {
    kind: 'table',
    title,
    columns: columns.map((column) => ({ ...column, isNumber: isNumeric(column) })),
    rows: shown.map((row) => columns.map((column, at) => cellText(row[at] ?? null, column))),
    note: shown.length < rows.length || cut ? `The first ${shown.length} of ${all}.` : '',
  }
}
