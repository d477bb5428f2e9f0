import type { Cell } from '../sql/query.ts'
import { isTime } from './sample-plan.ts'

// A column with more distinct values than this is not an enumeration.
const FEW_VALUES = 12

/**
 * A few different rows of a sample, in the sample's order: the first and the last, then the rows that add most (a value
 * of a column with few values, a null, an empty text, an early or a late time).
 */
export function chooseRows(
  rows: readonly (readonly Cell[])[],
  columns: readonly { readonly type: string }[],
  count: number,
): readonly (readonly Cell[])[] {
  if (rows.length <= count) return rows
  const seen = columns.map(({ type }, i) => traitsOf(rows, i, type))
  const chosen = [0, rows.length - 1]
  const shown = seen.map((traits) => new Set(chosen.map((at) => traits.of[at]!)))
  while (chosen.length < count) {
    const best = bestOf(rows.length, chosen, (at) =>
      seen.reduce((sum, traits, i) => sum + (shown[i]!.has(traits.of[at]!) ? 0 : 1 / traits.kinds), 0),
    )
    chosen.push(best)
    for (const [i, traits] of seen.entries()) shown[i]!.add(traits.of[best]!)
  }
  return chosen.toSorted((a, b) => a - b).map((at) => rows[at]!)
}

/** The row that adds most; among equals, the one farthest from the rows already chosen. */
function bestOf(length: number, chosen: readonly number[], gainOf: (at: number) => number): number {
  let best = { at: -1, gain: -1, distance: -1 }
  for (let at = 0; at < length; at++) {
    if (chosen.includes(at)) continue
    const gain = gainOf(at)
    const distance = Math.min(...chosen.map((other) => Math.abs(other - at)))
    if (gain > best.gain + 1e-9 || (gain > best.gain - 1e-9 && distance > best.distance)) best = { at, gain, distance }
  }
  return best.at
}

/** The trait of each row in a column, and the number of distinct traits. */
function traitsOf(
  rows: readonly (readonly Cell[])[],
  i: number,
  type: string,
): { readonly of: readonly string[]; readonly kinds: number } {
  const values = rows.map((row) => row[i] ?? null)
  const filled = [...new Set(values.filter((value) => value !== null && value !== ''))]
  const isList = filled.length <= FEW_VALUES && filled.length * 2 <= rows.length
  const sorted = isTime(type) ? filled.map(String).toSorted() : []
  const rank = new Map(sorted.map((value, at) => [value, Math.floor((at * 4) / sorted.length)]))
  const of = values.map((value) => {
    if (value === null) return 'null'
    if (value === '') return 'empty'
    if (isList) return `is ${String(value)}`
    return `about ${rank.get(String(value)) ?? (typeof value === 'number' ? Math.sign(value) : 0)}`
  })
  return { of, kinds: new Set(of).size }
}
