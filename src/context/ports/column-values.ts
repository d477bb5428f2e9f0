import type { IndexedColumn } from '../domain/values/value-index.ts'

/** Values of the columns of tables, on this machine alone and never in the project. */
export interface ColumnValues {
  /** Replaces the values of a table; none removes it. */
  keep(table: string, columns: readonly IndexedColumn[]): Promise<void>
  /** Empty if none are kept. */
  of(table: string): Promise<readonly IndexedColumn[]>
}
