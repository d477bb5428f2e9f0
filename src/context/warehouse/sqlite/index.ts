import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({ path: z.string().min(1).describe('The database file.') })

export type SqliteConnection = z.output<typeof connection>

export const sqlite = defineWarehouse({
  type: 'sqlite',
  label: 'SQLite',
  place: 'file',
  connection,
  secrets: [],
  recognise: ({ is, where, head }) =>
    is === 'file' && head.startsWith('SQLite format 3\0') ? { fit: 'certain', entry: { path: where } } : undefined,
  open: async (given, bounds) => (await import('./sqlite-warehouse.ts')).openSqliteWarehouse(given, bounds),
})
