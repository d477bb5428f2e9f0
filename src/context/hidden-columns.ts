import type { DatabaseConfig } from './domain/context-project/config.ts'
import { hiddenAmong } from './domain/context-project/name-glob.ts'
import type { TableDetails } from './ports/warehouse.ts'

/** Columns of a table that ken.yaml hides. */
export const hiddenColumns = (table: TableDetails, config: DatabaseConfig): readonly string[] =>
  hiddenAmong(
    table.columns.map((column) => column.name),
    table,
    config,
  )
