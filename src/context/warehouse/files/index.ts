import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  path: z.string().min(1).describe('A CSV, TSV or Parquet file, or a folder of them: one table for each file.'),
})

/** Extensions of data files, compressed or not. */
const DATA_FILE = /\.(?:csv|tsv|parquet)(?:\.gz)?$/i

export const files = defineWarehouse({
  type: 'files',
  label: 'CSV or Parquet',
  place: 'file',
  connection,
  secrets: [],
  recognise({ is, where, head, names }) {
    if (is === 'file' && (DATA_FILE.test(where) || head.startsWith('PAR1')))
      return { fit: 'certain', entry: { path: where } }
    const data = names.filter((name) => DATA_FILE.test(name))
    return is === 'folder' && data.length > 0 && data.length * 2 > names.length
      ? { fit: 'likely', entry: { path: where } }
      : undefined
  },
  open: async ({ path }, bounds) =>
    (await import('../duckdb/duckdb-warehouse.ts')).openFilesWarehouse({ path }, bounds),
})
