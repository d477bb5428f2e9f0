import type { ChartCell, ChartData } from '../chart/chart.ts'
import { rowsThatFit } from '../chat/kept-sizes.ts'
import type { BoundNumber } from './bound-number.ts'
import type { MadeWith } from './story-params.ts'

/** The rows of one query of a story. */
export interface StoryResult extends ChartData {
  /** The result is longer than the stored part. */
  readonly cut: boolean
  /** Numbers in the story's text that are bound to this result. */
  readonly bound?: readonly BoundNumber[] | undefined
  /** Values of the story's parameters that the rows were made with. */
  readonly made?: readonly MadeWith[] | undefined
  /** The row before the last refresh, for a result of one row, by column. */
  readonly was?: Readonly<Record<string, ChartCell>> | undefined
}

/** Serialised form for `StoryData`. */
export function storyResultText({ columns, rows, cut, bound, made, was }: StoryResult): string {
  const kept = rowsThatFit(rows)
  return JSON.stringify({
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: kept,
    cut: cut || kept.length < rows.length,
    ...(bound !== undefined && { bound }),
    ...(made !== undefined && made.length > 0 && { made }),
    ...(was !== undefined && { was }),
  })
}

/** Parses a stored result; undefined if it is invalid: a story without one of its tables is better than none. */
export function readStoryResult(text: string): StoryResult | undefined {
  try {
    const { columns, rows, cut, bound, made, was } = JSON.parse(text) as Partial<StoryResult>
    if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined
    return {
      columns,
      rows,
      cut: cut === true,
      ...(Array.isArray(bound) && { bound }),
      ...(Array.isArray(made) && { made }),
      ...(was !== undefined && { was }),
    }
  } catch {
    return undefined
  }
}
