import type { IndexedColumn } from '../domain/values/value-index.ts'

/** Values of table columns, stored on this machine only and never in the project. */
export interface ColumnValues {
  /** Replaces the values of a table; an empty list removes it. */
  keep(table: string, columns: readonly IndexedColumn[]): Promise<void>
  /** Empty if none are kept. */
  of(table: string): Promise<readonly IndexedColumn[]>
}
