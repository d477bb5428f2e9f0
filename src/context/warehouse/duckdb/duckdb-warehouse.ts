import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { AppError } from '../../../kernel/domain/errors.ts'
import { assertInstalled } from '../../../kernel/system/optional-package.ts'
import type { RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { RowCount, TableDetails } from '../../domain/sql/catalogue.ts'
import { unreadable, type ParsedSql } from '../../domain/sql/statement.ts'
import type { EngineBounds, QueryResult, Warehouse } from '../../ports/warehouse.ts'
import { openCatalogueSnapshot } from '../catalogue-snapshot.ts'
import { DEFAULT_ENGINE_MEMORY, openEnginePool } from '../engine-pool.ts'
import { fileMark } from '../file-mark.ts'
import { unreachable } from '../warehouse-limits.ts'
import { readCatalogue } from './catalogue.ts'
import { dataFiles, FILES_PREFIX } from './data-files.ts'
import { duckdbDialect, filesDialect } from './dialect.ts'
import type { DuckdbTask } from './duckdb-process.ts'
import type { DuckdbConnection } from './index.ts'

// One statement already uses several cores, and every process keeps a separate cache.
const MOST_PROCESSES = 2
const ALL = { rows: 5_000_000, bytes: 1 << 28, milliseconds: 60_000 }
const LOOKING = { rows: 1, bytes: 1_000, milliseconds: 10_000 }
const OPENING = { milliseconds: 30_000 }
const PARSING = { milliseconds: 30_000 }

/**
 * DuckDB file, read in separate processes: memory that a statement uses beyond the engine's own count can only be
 * limited from outside.
 */
export async function openDuckdbWarehouse({ path }: DuckdbConnection, bounds: EngineBounds = {}): Promise<Warehouse> {
  const { query, rows, ...engine } = await openEngine(path, path, 'DuckDB file', bounds)
  return {
    ...engine,
    dialect: duckdbDialect,
    ...openCatalogueSnapshot({
      database: basename(path, extname(path)),
      load: () => readCatalogue(rows),
      count: (table) => countRows(table, query),
      wholeMark: () => fileMark(path, `${path}.wal`),
      look: (table, columns) => lookAtRows(table, columns, query),
    }),
    query,
  }
}

/** CSV, TSV and Parquet files as tables, in the same processes. */
export async function openFilesWarehouse({ path }: DuckdbConnection, bounds: EngineBounds = {}): Promise<Warehouse> {
  const { query, rows, ...engine } = await openEngine(path, `${FILES_PREFIX}${path}`, 'data files', bounds)
  return {
    ...engine,
    dialect: filesDialect,
    ...openCatalogueSnapshot({
      database: basename(path, extname(path)),
      // The SQL of a view contains the file's path on this machine.
      load: async () => {
        const catalogue = await readCatalogue(rows)
        return {
          ...catalogue,
          tables: catalogue.tables.map((table) => ({ ...table, kind: 'table', viewSql: undefined })),
        }
      },
      count: (table) => countRows(table, query),
      wholeMark: () => fileMark(...dataFiles(path).map((file) => file.path)),
    }),
    query,
  }
}

async function openEngine(
  path: string,
  file: string,
  what: string,
  { memory = DEFAULT_ENGINE_MEMORY, holdsFile = false }: EngineBounds,
): Promise<Pick<Warehouse, 'query' | 'parse' | 'history' | 'quote' | 'close'> & { rows: RunRows }> {
  await stat(path).catch((error: unknown) => {
    throw unreachable(`the ${what} ${path}`, error, [])
  })
  assertInstalled('@duckdb/node-api')
  const pool = openEnginePool<DuckdbTask>({
    program: new URL('./duckdb-process', import.meta.url),
    file,
    engine: 'DuckDB',
    mostProcesses: MOST_PROCESSES,
    memory,
    holdsFile,
  })
  await pool.run({ kind: 'open' }, OPENING).catch(async (error: unknown) => {
    await pool.close()
    throw error
  })
  const query: Warehouse['query'] = (sql, limits, signal, values = []) =>
    pool.run<QueryResult>({ kind: 'query', sql, limits, values }, limits, signal)
  // Sequential: starting a second process takes longer than the whole catalogue.
  let last: Promise<unknown> = Promise.resolve()
  const rows: RunRows = async (sql) => {
    const asked = last.then(() => query(sql, ALL))
    last = asked.catch(() => undefined)
    const found = await asked
    return found.rows.map((row) => Object.fromEntries(found.columns.map(({ name }, i) => [name, row[i]])))
  }
  return {
    rows,
    parse: (sql) => pool.run<ParsedSql>({ kind: 'parse', sql }, PARSING).catch(notParsed),
    query,
    history: async () => [],
    quote,
    close: () => pool.close(),
  }
}

/** A text that exceeds the parser's limits is rejected like any unreadable one. */
function notParsed(error: unknown): ParsedSql {
  const reason = error instanceof AppError ? error.details?.['reason'] : undefined
  if (reason !== 'timeout' && reason !== 'memory') throw error
  return unreadable('it is too large to be parsed')
}

/** Counting only reads row group headers. A view may be any query, so it is not counted. */
async function countRows(table: TableDetails, query: Warehouse['query']): Promise<RowCount | undefined> {
  if (table.kind !== 'table') return undefined
  const { rows } = await query(`SELECT count(*) FROM ${quote(table.schema)}.${quote(table.name)}`, ALL)
  return { count: Number(rows[0]?.[0]), exact: true }
}

// A million cells take a tenth of a second.
const MOST_CELLS = 5_000_000

/**
 * Few rows: a checksum of the rows themselves, so that a rebuilt file with the same rows gives the same result. Many
 * rows: a checksum of the blocks that store them, which an update moves.
 */
async function lookAtRows(
  { schema, name, rows }: TableDetails,
  columns: readonly string[],
  query: Warehouse['query'],
): Promise<string> {
  const table = `${quote(schema)}.${quote(name)}`
  const isSmall = (rows?.count ?? 0) * columns.length <= MOST_CELLS
  const values = columns.length === 0 ? 'NULL' : `sum(hash(${columns.map(quote).join(', ')}))`
  const facts = isSmall
    ? `SELECT count(*), ${values} FROM ${table}`
    : `SELECT (SELECT count(*) FROM ${table}), sum(hash(row_group_id, column_id, segment_id, block_id, block_offset, "count", has_updates)) FROM pragma_storage_info('${table.replaceAll("'", "''")}')`
  const [row] = (await query(facts, LOOKING)).rows
  return `${isSmall ? 'rows' : 'blocks'} ${String(row?.[0])} ${String(row?.[1] ?? '')}`.trim()
}

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
