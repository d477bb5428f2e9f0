import { z } from 'zod'
import type { Cell } from '../../context/domain/sql/query.ts'

/** Rows under the names of their columns, as a query or an answer gives them. */
export interface Table {
  readonly columns: readonly { readonly name: string; readonly type?: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

const tolerance = {
  relative: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('As a part of the expected number, e.g. 0.01 for one percent.'),
  absolute: z.number().min(0).optional().describe('In the unit of the column.'),
  decimals: z.number().int().min(0).max(15).optional().describe('Both are rounded to so many places first.'),
}

/** How far numbers may lie apart. Without a word they must be the same but for the noise of floating point. */
export const toleranceFields = z.strictObject(tolerance)
export type Tolerance = z.output<typeof toleranceFields>

/** How two tables are compared. Rows may come in any order unless `ordered`; how often a row comes always counts. */
export const comparisonFields = z.strictObject({
  ...tolerance,
  ordered: z.boolean().default(false).describe('Rows must come in the expected order.'),
  match: z
    .enum(['auto', 'name', 'content'])
    .default('auto')
    .describe('How columns find each other: by name, by what they hold, or by name where all names are there.'),
  extra_columns: z.boolean().default(true).describe('The answer may have more columns than expected.'),
  columns: z.record(z.string(), toleranceFields).default({}).describe('Tolerance of single columns, by expected name.'),
})
export type Comparison = z.output<typeof comparisonFields>

/** Why an answer is not the expected table, with the cells that tell. */
export interface TableDifference {
  /** One line, e.g. "3 of 12 rows differ". */
  readonly reason: string
  /** Which column of the answer stood for which expected one; null where none did. */
  readonly columns: readonly { readonly expected: string; readonly found: string | null }[]
  /** The first of them: of rows that found each other, but not in every cell. */
  readonly cells: readonly CellDifference[]
  /** How many cells of such rows differ in all. */
  readonly total: number
  /** The first of those rows whole, to be read beside each other. Runs of an earlier version have none. */
  readonly rows?: readonly RowDifference[]
  /** The first of the expected rows that nothing in the answer comes near to, and how many there are. */
  readonly missingRows: readonly (readonly Cell[])[]
  readonly missing: number
  /** The first rows of the answer that are like none expected, in the order of the expected columns, and how many. */
  readonly extraRows: readonly (readonly Cell[])[]
  readonly extra: number
}

/** A row of each side that found each other, in the order of the expected columns. */
export interface RowDifference {
  /** From 1, of the expected table. */
  readonly row: number
  readonly expected: readonly Cell[]
  readonly found: readonly Cell[]
  /** Places of the cells that differ, from 0. */
  readonly differs: readonly number[]
}

export interface CellDifference {
  /** By its expected name. */
  readonly column: string
  /** From 1, of the expected table. */
  readonly row: number
  readonly expected: Cell
  readonly found: Cell
}
