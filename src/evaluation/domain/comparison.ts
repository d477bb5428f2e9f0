import { z } from 'zod'
import type { Cell } from '../../context/domain/sql/query.ts'

/** Rows with column names, from a query or an answer. */
export interface Table {
  readonly columns: readonly { readonly name: string; readonly type?: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

const tolerance = {
  relative: z.number().min(0).max(1).optional().describe('Fraction of the expected number, e.g. 0.01 for one percent.'),
  absolute: z.number().min(0).optional().describe('In the unit of the column.'),
  decimals: z.number().int().min(0).max(15).optional().describe('Both are rounded to so many places first.'),
}

/** How far numbers may differ. By default they must be equal except for floating-point noise. */
export const toleranceFields = z.strictObject(tolerance)
export type Tolerance = z.output<typeof toleranceFields>

/** How two tables are compared. Rows match in any order unless `ordered`; the multiplicity of a row always counts. */
export const comparisonFields = z.strictObject({
  ...tolerance,
  ordered: z.boolean().default(false).describe('Rows must come in the expected order.'),
  match: z
    .enum(['auto', 'name', 'content', 'position'])
    .default('auto')
    .describe('How columns are matched: by name, by content, by position, or by name if all names are there (auto).'),
  extra_columns: z.boolean().default(true).describe('The answer may have more columns than expected.'),
  columns: z.record(z.string(), toleranceFields).default({}).describe('Tolerance of single columns, by expected name.'),
})
export type Comparison = z.output<typeof comparisonFields>

/** Why an answer is not the expected table, with the differing cells. */
export interface TableDifference {
  /** One line, e.g. "3 of 12 rows differ". */
  readonly reason: string
  /** Column of the answer matched to each expected one; null if none was. */
  readonly columns: readonly { readonly expected: string; readonly found: string | null }[]
  /** First differing cells of matched rows. */
  readonly cells: readonly CellDifference[]
  /** Total number of differing cells in matched rows. */
  readonly total: number
  /** First differing rows in full, to be read side by side. Missing in runs of an earlier version. */
  readonly rows?: readonly RowDifference[]
  /** First expected rows without a similar row in the answer, and their total. */
  readonly missingRows: readonly (readonly Cell[])[]
  readonly missing: number
  /** First rows of the answer without a similar expected row, in the order of the expected columns, and their total. */
  readonly extraRows: readonly (readonly Cell[])[]
  readonly extra: number
}

/** Matched row of each side, in the order of the expected columns. */
export interface RowDifference {
  /** 1-based row of the expected table. */
  readonly row: number
  readonly expected: readonly Cell[]
  readonly found: readonly Cell[]
  /** 0-based positions of the differing cells. */
  readonly differs: readonly number[]
}

export interface CellDifference {
  /** Name of the expected column. */
  readonly column: string
  /** 1-based row of the expected table. */
  readonly row: number
  readonly expected: Cell
  readonly found: Cell
}
