import { basename, extname } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { z } from 'zod'
import type { RunRows } from '../../core/sql/catalogue-rows.ts'
import type { RowCount, TableDetails } from '../../core/sql/catalogue.ts'
import type { Warehouse, WarehouseType } from '../../ports/warehouse.ts'
import { openCatalogueSnapshot } from '../catalogue-snapshot.ts'
import { unreachable } from '../warehouse-limits.ts'
import { readCatalogue } from './catalogue.ts'
import { openDuckdbParser } from './parse.ts'

const connection = z.strictObject({ path: z.string().min(1).describe('The database file.') })

type DuckdbConnection = z.output<typeof connection>

export const duckdb: WarehouseType<DuckdbConnection> = { type: 'duckdb', connection, open: openDuckdbWarehouse }

/** A DuckDB file: opened read-only, without files, network, extensions or a way to change a setting. */
async function openDuckdbWarehouse({ path }: DuckdbConnection): Promise<Warehouse> {
  const instance = await openInstance(path)
  // Loaded here, because this file is read at every start and the engine is 60 MB.
  const { queryDuckdb } = await import('./query.ts')
  const database = basename(path, extname(path))
  const parse = openDuckdbParser()
  const withConnection = async <T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    const connection = await instance.connect()
    try {
      return await work(connection)
    } finally {
      connection.closeSync()
    }
  }
  const rows: RunRows = (sql) => withConnection(async (connection) => (await connection.runAndReadAll(sql)).getRowObjectsJS())
  return {
    dialect: 'duckdb',
    ...openCatalogueSnapshot({ database, load: () => readCatalogue(rows), count: (table) => countRows(table, rows) }),
    parse: (sql) => withConnection((connection) => parse(sql, connection)),
    query: (sql, limits, signal) => withConnection((connection) => queryDuckdb(connection, sql, { limits, signal })),
    history: async () => [],
    quote,
    async close() {
      instance.closeSync()
    },
  }
}

async function openInstance(path: string): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  try {
    return await DuckDBInstance.create(path, SEALED)
  } catch (error) {
    throw unreachable(`the DuckDB file ${path}`, error, [])
  }
}

// Order matters: nothing can be set once external access is off, and the lock comes last.
const SEALED = {
  access_mode: 'READ_ONLY',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  // Without this, a large sort would write beside the user's file.
  temp_directory: '',
  enable_external_access: 'false',
  lock_configuration: 'true',
}

/** Counting is a matter of reading row group headers. A view may be any query, so it is not counted. */
async function countRows(table: TableDetails, rows: RunRows): Promise<RowCount | undefined> {
  if (table.kind !== 'table') return undefined
  const [row] = await rows(`SELECT count(*) AS n FROM ${quote(table.schema)}.${quote(table.name)}`)
  return { count: Number(row?.['n']), exact: true }
}

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
