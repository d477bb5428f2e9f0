import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({ path: z.string().min(1).describe('The database file.') })

export type DuckdbConnection = z.output<typeof connection>

export const duckdb = defineWarehouse({
  type: 'duckdb',
  label: 'DuckDB',
  place: 'file',
  connection,
  secrets: [],
  recognise: ({ is, where, head }) =>
    is === 'file' && head.slice(8, 12) === 'DUCK' ? { fit: 'certain', entry: { path: where } } : undefined,
  open: async (given, bounds) => (await import('./duckdb-warehouse.ts')).openDuckdbWarehouse(given, bounds),
})
