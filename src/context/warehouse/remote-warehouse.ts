import { AppError } from '../../kernel/domain/errors.ts'
import { loadOptional, type OptionalName } from '../../kernel/system/optional-package.ts'
import type { RunRows } from '../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../domain/sql/catalogue.ts'
import type { ParsedDialect } from '../domain/sql/dialect.ts'
import { judgeStatement } from '../domain/sql/judge-statement.ts'
import { parseDialect } from '../domain/sql/parse-dialect.ts'
import { hasSyncComment, withSyncComment } from '../domain/sql/query.ts'
import type { PastQuery, QueryLimits, QueryResult, Warehouse } from '../ports/warehouse.ts'
import { openCatalogueSnapshot } from './catalogue-snapshot.ts'
import { loadSqlparser } from './sqlparser-tree.ts'
import { refusedByEngine, runWithin, unreachable } from './warehouse-limits.ts'

/** Thin wrapper of a vendor's client: one statement in, rows out. Tests replace it with recorded rows. */
export interface Driver {
  /** `canStop` receives the function that stops the statement in the engine, as soon as it runs there. */
  run(sql: string, limits: QueryLimits, canStop: (stop: () => Promise<void>) => void): Promise<QueryResult>
  close(): Promise<void>
}

/** Engine-specific parts beyond its driver. */
export interface RemoteEngine {
  readonly dialect: ParsedDialect
  readonly database: string
  /** Schemas searched for a bare table name. */
  readonly searchPath: readonly string[]
  readonly secrets: readonly (string | undefined)[]
  readCatalogue(rows: RunRows): Promise<CatalogueRows>
  /** SQL that returns sql_text, times, last_seen, most used first; undefined if no history is kept. */
  historySql(limit: number): string | undefined
  quote(identifier: string): string
}

const CATALOGUE_LIMITS = { rows: 2_000_000, bytes: 1 << 30, milliseconds: 120_000 }

/** Warehouse behind a vendor's client. If the engine has no read-only session, every statement is parsed first. */
export async function openRemoteWarehouse(engine: RemoteEngine, driver: Driver): Promise<Warehouse> {
  const { dialect, secrets } = engine
  const parse = await loadSqlparser()
  const parseSql = (sql: string): ReturnType<typeof parseDialect> =>
    parseDialect(sql, dialect, { names: { searchPath: engine.searchPath }, parse })
  const query: Warehouse['query'] = (sql, limits, signal) => {
    let stop: (() => Promise<void>) | undefined
    const run = async (isStopped: () => boolean): Promise<QueryResult> => {
      const canStop = (how: () => Promise<void>): void => {
        stop = how
        if (isStopped()) void how().catch(() => undefined)
      }
      try {
        return await driver.run(sql, limits, canStop)
      } catch (error) {
        throw refusedByEngine(error, { secrets })
      }
    }
    return runWithin({ limits, signal, run, stop: async () => await stop?.() })
  }
  const rows: RunRows = async (sql) => {
    const found = await query(sql, CATALOGUE_LIMITS)
    const names = found.columns.map((column) => column.name.toLowerCase())
    return found.rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])))
  }
  return {
    dialect,
    ...openCatalogueSnapshot({
      database: engine.database,
      load: () => engine.readCatalogue(rows),
      count: async () => undefined,
    }),
    parse: async (sql) => parseSql(sql),
    async query(sql, limits, signal) {
      const verdict = judgeStatement(parseSql(sql), { dialect, tables: undefined })
      if (!verdict.allowed) throw new AppError('invalid_input', verdict.reason, { hint: verdict.hint })
      // Comments are removed before a statement is judged; the sync comment is kept for the query history.
      return query(hasSyncComment(sql) ? withSyncComment(verdict.sql) : verdict.sql, limits, signal)
    },
    history: (limit) => readHistory(engine.historySql(Math.trunc(limit)), rows),
    quote: engine.quote,
    close: () => driver.close(),
  }
}

/** Reading the history needs privileges that many roles lack; then it is empty. */
async function readHistory(sql: string | undefined, rows: RunRows): Promise<readonly PastQuery[]> {
  const found = sql === undefined ? [] : await rows(sql).catch(() => [])
  return found.map((row) => ({
    sql: String(row['sql_text']),
    times: Number(row['times']),
    lastSeen: row['last_seen'] == null ? undefined : String(row['last_seen']),
  }))
}

/** Vendors' clients are large and few people need them, so they are installed on demand. */
export async function loadDriver<Module>(packageName: OptionalName, engine: string): Promise<Module> {
  const loaded = await loadOptional<{ default?: Module } & Module>(packageName, engine)
  return { ...loaded.default, ...loaded } as Module
}

// Some clients try for minutes before they report an unknown host.
const CONNECT_MS = 30_000

/**
 * Opens a connection; an error names the target, but not its password. `milliseconds` is longer if a person signs in or
 * the engine starts first.
 */
export async function connectTo<T>(
  what: string,
  secrets: readonly (string | undefined)[],
  connect: () => Promise<T>,
  milliseconds: number = CONNECT_MS,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${milliseconds / 1000} s`)), milliseconds)
  try {
    return await Promise.race([connect(), late])
  } catch (error) {
    throw unreachable(what, error, secrets)
  } finally {
    clearTimeout(timer)
  }
}

export const doubleQuoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
export const backQuoted = (identifier: string): string => `\`${identifier.replaceAll('`', '``')}\``
export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`
/**
 * For BigQuery, ClickHouse and Snowflake, where a backslash escapes the next character, including the closing quote.
 */
export const escapedLiteral = (value: string): string => `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`
