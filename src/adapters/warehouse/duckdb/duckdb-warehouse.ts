import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { AppError } from '../../../core/errors.ts'
import type { RunRows } from '../../../core/sql/catalogue-rows.ts'
import type { RowCount, TableDetails } from '../../../core/sql/catalogue.ts'
import { unreadable, type ParsedSql } from '../../../core/sql/statement.ts'
import type { EngineBounds, QueryResult, Warehouse } from '../../../ports/warehouse.ts'
import { assertInstalled } from '../../optional-package.ts'
import { openCatalogueSnapshot } from '../catalogue-snapshot.ts'
import { DEFAULT_ENGINE_MEMORY, openEnginePool } from '../engine-pool.ts'
import { unreachable } from '../warehouse-limits.ts'
import { readCatalogue } from './catalogue.ts'
import { duckdbDialect } from './dialect.ts'
import type { DuckdbTask } from './duckdb-process.ts'
import type { DuckdbConnection } from './index.ts'

// One statement uses several cores by itself, and every process keeps a cache of its own.
const MOST_PROCESSES = 2
const ALL = { rows: 5_000_000, bytes: 1 << 28, milliseconds: 60_000 }
const OPENING = { milliseconds: 30_000 }
const PARSING = { milliseconds: 30_000 }

/**
 * A DuckDB file, read by processes of its own: what a statement takes beside the engine's own count can only be bounded
 * from outside.
 */
export async function openDuckdbWarehouse(
  { path }: DuckdbConnection,
  { memory = DEFAULT_ENGINE_MEMORY }: EngineBounds = {},
): Promise<Warehouse> {
  await stat(path).catch((error: unknown) => {
    throw unreachable(`the DuckDB file ${path}`, error, [])
  })
  assertInstalled('@duckdb/node-api')
  const pool = openEnginePool<DuckdbTask>({
    program: new URL('./duckdb-process', import.meta.url),
    file: path,
    engine: 'DuckDB',
    mostProcesses: MOST_PROCESSES,
    memory,
  })
  await pool.run({ kind: 'open' }, OPENING).catch(async (error: unknown) => {
    await pool.close()
    throw error
  })
  const database = basename(path, extname(path))
  const query: Warehouse['query'] = (sql, limits, signal) =>
    pool.run<QueryResult>({ kind: 'query', sql, limits }, limits, signal)
  // One after the other: starting a second process takes longer than all of the catalogue.
  let last: Promise<unknown> = Promise.resolve()
  const rows: RunRows = async (sql) => {
    const asked = last.then(() => query(sql, ALL))
    last = asked.catch(() => undefined)
    const found = await asked
    return found.rows.map((row) => Object.fromEntries(found.columns.map(({ name }, i) => [name, row[i]])))
  }
  return {
    dialect: duckdbDialect,
    ...openCatalogueSnapshot({ database, load: () => readCatalogue(rows), count: (table) => countRows(table, query) }),
    parse: (sql) => pool.run<ParsedSql>({ kind: 'parse', sql }, PARSING).catch(notParsed),
    query,
    history: async () => [],
    quote,
    close: () => pool.close(),
  }
}

/** A text that takes the parser more than it may have is refused like any other that cannot be read. */
function notParsed(error: unknown): ParsedSql {
  const reason = error instanceof AppError ? error.details?.['reason'] : undefined
  if (reason !== 'timeout' && reason !== 'memory') throw error
  return unreadable('it is too large to be parsed')
}

/** Counting is a matter of reading row group headers. A view may be any query, so it is not counted. */
async function countRows(table: TableDetails, query: Warehouse['query']): Promise<RowCount | undefined> {
  if (table.kind !== 'table') return undefined
  const { rows } = await query(`SELECT count(*) FROM ${quote(table.schema)}.${quote(table.name)}`, ALL)
  return { count: Number(rows[0]?.[0]), exact: true }
}

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
