import { safeSegment } from './domain/context-project/safe-segment.ts'
import type { TableRef } from './ports/warehouse.ts'

/** Folder of a database in the project. */
export const databasePath = (type: string, { database }: TableRef): string =>
  ['databases', `type=${safeSegment(type)}`, `database=${safeSegment(database)}`].join('/')

/** Folder of a table in the project. */
export const tablePath = (type: string, table: TableRef): string =>
  [databasePath(type, table), `schema=${safeSegment(table.schema)}`, `table=${safeSegment(table.name)}`].join('/')
