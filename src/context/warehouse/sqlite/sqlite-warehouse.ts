import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { parse } from 'sqlite3-parser'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { TableDetails } from '../../domain/sql/catalogue.ts'
import { unreadable, whyUnreadable, type ParsedSql } from '../../domain/sql/statement.ts'
import type { EngineBounds, QueryResult, Warehouse, QueryLimits } from '../../ports/warehouse.ts'
import { openCatalogueSnapshot } from '../catalogue-snapshot.ts'
import { DEFAULT_ENGINE_MEMORY, openEnginePool } from '../engine-pool.ts'
import { fileMark } from '../file-mark.ts'
import { unreachable } from '../warehouse-limits.ts'
import { countRows, readCatalogue } from './catalogue.ts'
import { sqliteDialect } from './dialect.ts'
import { fromSqliteTree } from './from-sqlite-tree.ts'
import type { SqliteConnection } from './index.ts'
import type { SqliteTask } from './sqlite-process.ts'

const MOST_PROCESSES = 4

/** SQLite file, read in separate processes: node:sqlite cannot be interrupted, a process can be killed. */
export async function openSqliteWarehouse(
  { path }: SqliteConnection,
  { memory = DEFAULT_ENGINE_MEMORY, holdsFile = false }: EngineBounds = {},
): Promise<Warehouse> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreachable(`the SQLite file ${path}`, error, [])
  })
  if (!found.isFile())
    throw new AppError('unavailable', `${path} is not a file`, { hint: 'Set the SQLite file in ken.yaml.' })
  const pool = openEnginePool<SqliteTask>({
    program: new URL('./sqlite-process', import.meta.url),
    file: path,
    engine: 'SQLite',
    mostProcesses: MOST_PROCESSES,
    memory,
    holdsFile,
  })
  const query: Warehouse['query'] = (sql, limits, signal, values = []) =>
    pool.run<QueryResult>({ sql, limits, values }, limits, signal)
  const database = basename(path, extname(path))
  return {
    dialect: sqliteDialect,
    ...openCatalogueSnapshot({
      database,
      load: () => readCatalogue(query),
      count: (table) => countRows(table, query),
      wholeMark: () => fileMark(path, `${path}-wal`),
      look: (table, columns) =>
        lookAtRows(table, columns, {
          query,
          hash: (sql, limits) => pool.run<string>({ sql, limits, hashed: true }, limits),
        }),
    }),
    parse: async (sql) => parseSqlite(sql),
    async query(sql, limits, signal, values) {
      const { statements, error } = parseSqlite(sql)
      if (error !== undefined)
        throw new AppError('invalid_input', error, { hint: 'Check names and syntax against the table documents.' })
      // node:sqlite runs the first of several statements and silently ignores the rest; VACUUM INTO writes a file even
      // when read-only.
      if (statements.length !== 1)
        throw new AppError('invalid_input', `${statements.length} statements were sent`, {
          hint: 'Send one statement.',
        })
      if (statements[0]!.kind === 'other')
        throw new AppError('invalid_input', `${statements[0]!.verb} is not read-only`, { hint: 'Send a SELECT.' })
      return query(sql, limits, signal, values)
    },
    history: async () => [],
    quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
    close: () => pool.close(),
  }
}

function parseSqlite(sql: string): ParsedSql {
  try {
    const parsed = parse(sql)
    if (parsed.status === 'ok') return fromSqliteTree(parsed.root, sql)
    return unreadable(parsed.errors[0]?.message ?? 'it cannot be parsed')
  } catch (error) {
    return unreadable(whyUnreadable(error))
  }
}

interface RowReader {
  readonly query: Warehouse['query']
  /** Hash of all rows of a query. */
  hash(sql: string, limits: QueryLimits): Promise<string>
}

// Hashing this many takes about a second.
const MOST_CELLS = 2_000_000
const LOOKING = { rows: 1, bytes: 1_000, milliseconds: 10_000 }

/**
 * Few rows: a hash of the rows themselves. Many rows: their number and the last one, so an update is detected only when
 * the table is reread because of its age.
 */
async function lookAtRows(
  table: TableDetails,
  columns: readonly string[],
  { query, hash }: RowReader,
): Promise<string | undefined> {
  const from = quote(table.name)
  const most = Math.ceil(MOST_CELLS / Math.max(1, columns.length))
  const first = async (sql: string): Promise<unknown> => (await query(sql, LOOKING)).rows[0]?.[0]
  try {
    const found = Number(await first(`SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${most})`))
    if (found < most)
      return `rows ${found} ${await hash(`SELECT ${columns.map(quote).join(', ') || 'NULL'} FROM ${from}`, LOOKING)}`
    // A table without row ids has no cheap last row.
    const last = await first(`SELECT max(rowid) FROM ${from}`).catch(() => '')
    return `last ${(await countRows(table, query))?.count ?? ''} ${String(last)}`
  } catch {
    // For example, a virtual table without its module.
    return undefined
  }
}

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
