import type { ChartData } from '../chart/chart.ts'
import { rowsThatFit } from '../chat/kept-sizes.ts'
import type { BoundNumber } from './bound-number.ts'

/** The rows of one query of a story. */
export interface StoryResult extends ChartData {
  /** The result is longer than the stored part. */
  readonly cut: boolean
  /** Numbers in the story's text that are bound to this result. */
  readonly bound?: readonly BoundNumber[] | undefined
}

/** Serialised form for `StoryData`. */
export function storyResultText({ columns, rows, cut, bound }: StoryResult): string {
  const kept = rowsThatFit(rows)
  return JSON.stringify({
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: kept,
    cut: cut || kept.length < rows.length,
    ...(bound !== undefined && { bound }),
  })
}

/** Parses a stored result; undefined if it is invalid: a story without one of its tables is better than none. */
export function readStoryResult(text: string): StoryResult | undefined {
  try {
    const { columns, rows, cut, bound } = JSON.parse(text) as Partial<StoryResult>
    if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined
    return { columns, rows, cut: cut === true, ...(Array.isArray(bound) && { bound }) }
  } catch {
    return undefined
  }
}
