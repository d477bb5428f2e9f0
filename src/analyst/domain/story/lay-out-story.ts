import { cellText, isNumeric } from '../../../context/domain/results/cell-text.ts'
import type { ChartCell, ChartSpec } from '../chart/chart.ts'
import { readChart } from '../chart/read-chart.ts'
import { readStory } from './read-story.ts'
import type {
  LaidBlock,
  LaidChart,
  LaidTable,
  MovedNumber,
  StoryBlock,
  StoryFault,
  StoryTable,
} from './story-blocks.ts'
import { checkNumbers } from './story-numbers.ts'
import type { StoryResult } from './story.ts'

export interface LaidStory {
  readonly blocks: readonly LaidBlock[]
  /** Faults of the text and its sources, by line. */
  readonly faults: readonly StoryFault[]
  /** Unreliable numbers, listed at the top of the story. */
  readonly notices: readonly string[]
  /** Numbers of the text and single figures that the last refresh changed, each once. */
  readonly moved: readonly MovedNumber[]
}

/** Fills query rows into a story. Parts that cannot be drawn are reported; the rest is kept. */
export function layOutStory(text: string, results: ReadonlyMap<string, StoryResult>): LaidStory {
  const read = readStory(text)
  const faults = [...read.faults]
  const statements = new Set(read.statements.map(({ query }) => query))
  const laid = read.blocks.map((block) => layOut(block, { results, statements, faults }))
  const { blocks, notices, moved } = checkNumbers(laid, results)
  const all = [...moved, ...movedFigures(blocks)]
  return {
    blocks,
    notices,
    moved: [...new Map(all.map((one) => [`${one.place}\n${one.now}`, one])).values()],
    faults: faults.toSorted((a, b) => a.line - b.line),
  }
}

interface Sources {
  readonly results: ReadonlyMap<string, StoryResult>
  /** Queries whose statement is in the text. */
  readonly statements: ReadonlySet<string>
  readonly faults: StoryFault[]
}

function layOut(block: StoryBlock, sources: Sources): LaidBlock {
  const { results, statements, faults } = sources
  if (block.kind === 'grid')
    return { ...block, cells: block.cells.map((cell) => cell.map((one) => layOut(one, sources))) }
  if (block.kind !== 'chart' && block.kind !== 'table') return block
  const problem = (message: string): LaidBlock => {
    faults.push({ line: block.line, message })
    return { kind: 'problem', text: message }
  }
  const { query } = block.kind === 'chart' ? block.chart : block.table
  const result = results.get(query)
  if (result === undefined)
    return problem(
      statements.has(query)
        ? `${query} has no rows yet; a refresh of the story runs it`
        : `there is no result of ${query} to draw from`,
    )
  if (block.kind === 'table') return layOutTable(block.table, result)
  const read = readChart(block.chart, result)
  return 'faults' in read
    ? problem(`the chart of ${query} cannot be drawn: ${read.faults.join(' ')}`)
    : { kind: 'chart', chart: read.chart, data: result, plot: read.plot, ...movedIn(read.chart, result) }
}

/** Figures of a chart of single numbers that differ from the row before the last refresh. */
function movedIn({ kind, query, series }: ChartSpec, { columns, rows, was }: StoryResult): Pick<LaidChart, 'moved'> {
  if (kind !== 'kpi' || was === undefined) return {}
  const moved = series.flatMap(({ column }): MovedNumber[] => {
    const at = columns.findIndex(({ name }) => name === column)
    const [before, now] = [was[column] ?? null, rows[0]?.[at] ?? null]
    if (at < 0 || !Object.hasOwn(was, column) || String(before) === String(now)) return []
    const told = (cell: ChartCell): string => cellText(cell, columns[at]!) ?? 'nothing'
    return [{ place: `${query}.${column}`, was: told(before), now: told(now) }]
  })
  return moved.length === 0 ? {} : { moved }
}

const movedFigures = (blocks: readonly LaidBlock[]): readonly MovedNumber[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'grid') return block.cells.flatMap((cell) => movedFigures(cell))
    return block.kind === 'chart' ? (block.moved ?? []) : []
  })

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
