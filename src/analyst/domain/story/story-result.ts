import type { ChartData } from '../chart/chart.ts'
import { rowsThatFit } from '../chat/kept-sizes.ts'

/** The rows of one query of a story. */
export interface StoryResult extends ChartData {
  /** The result is longer than the stored part. */
  readonly cut: boolean
}

/** Serialised form for `StoryData`. */
export function storyResultText({ columns, rows, cut }: StoryResult): string {
  const kept = rowsThatFit(rows)
  return JSON.stringify({
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: kept,
    cut: cut || kept.length < rows.length,
  })
}

/** Parses a stored result; undefined if it is invalid: a story without one of its tables is better than none. */
export function readStoryResult(text: string): StoryResult | undefined {
  try {
    const { columns, rows, cut } = JSON.parse(text) as Partial<StoryResult>
    return Array.isArray(columns) && Array.isArray(rows) ? { columns, rows, cut: cut === true } : undefined
  } catch {
    return undefined
  }
}
