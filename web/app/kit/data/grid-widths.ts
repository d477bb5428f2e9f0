import type { GridColumn, GridRow } from './grid-order.ts'

// Width of a monospaced character at 13 px, with the padding of a cell.
const LETTER = 7.9
const ROOM = 26
const SORT_MARK = 14
export const NARROWEST = 64
const WIDEST = 320
const LOOKED_AT = 200

/** Fits the columns to the first rows within bounds: one long text must not push the rest off the screen. */
export const widthsOf = (columns: readonly GridColumn[], rows: readonly (GridRow | undefined)[]): readonly number[] =>
  columns.map(({ name, type }, at) => fitted(at, { name, type }, rows))

export function fitted(
  at: number,
  { name, type }: GridColumn,
  rows: readonly (GridRow | undefined)[],
  widest = WIDEST,
): number {
  let longest = Math.max(name.length + SORT_MARK / LETTER, type.length)
  for (const row of rows.slice(0, LOOKED_AT)) {
    const cell = row?.[at] ?? null
    if (cell !== null) longest = Math.max(longest, String(cell).length)
  }
  return Math.round(Math.max(NARROWEST, Math.min(widest, longest * LETTER + ROOM)))
}
