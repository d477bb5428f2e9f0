import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { parse } from 'sqlite3-parser'
import { AppError } from '../../../kernel/domain/errors.ts'
import { unreadable, whyUnreadable, type ParsedSql } from '../../domain/sql/statement.ts'
import type { EngineBounds, QueryResult, Warehouse } from '../../ports/warehouse.ts'
import { openCatalogueSnapshot } from '../catalogue-snapshot.ts'
import { DEFAULT_ENGINE_MEMORY, openEnginePool } from '../engine-pool.ts'
import { fileMark } from '../file-mark.ts'
import { unreachable } from '../warehouse-limits.ts'
import { countRows, readCatalogue } from './catalogue.ts'
import { sqliteDialect } from './dialect.ts'
import { fromSqliteTree } from './from-sqlite-tree.ts'
import type { SqliteConnection } from './index.ts'
import { lookAtRows } from './look-at-rows.ts'
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
