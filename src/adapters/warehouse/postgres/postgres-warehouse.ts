import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { AppError } from '../../../core/errors.ts'
import type { RunRows } from '../../../core/sql/catalogue-rows.ts'
import type { RowCount, TableDetails } from '../../../core/sql/catalogue.ts'
import { withSyncComment } from '../../../core/sql/query.ts'
import { unreadable, whyUnreadable, type NameRules, type ParsedSql } from '../../../core/sql/statement.ts'
import type { QueryResult, Warehouse } from '../../../ports/warehouse.ts'
import { loadOptional } from '../../optional-package.ts'
import { boundedSocket } from '../bounded-socket.ts'
import { openCatalogueSnapshot } from '../catalogue-snapshot.ts'
import { unreachable } from '../warehouse-limits.ts'
import { address } from './address.ts'
import { readCatalogue, readHistory, readOwnNames } from './catalogue.ts'
import { postgresDialect } from './dialect.ts'
import { fromPostgresTree } from './from-postgres-tree.ts'
import type { PostgresConnection } from './index.ts'
import { queryPostgres, type PostgresSession, type PostgresStatement } from './query.ts'

// Opened as needed; a statement at a time takes two, because the next one begins while the last one is rolled back.
const MOST_CONNECTIONS = 12
const CLOSE_SECONDS = 5

/** A PostgreSQL database: every statement runs alone in a READ ONLY transaction. */
export async function openPostgresWarehouse(given: PostgresConnection): Promise<Warehouse> {
  const { options, database, secrets } = address(given)
  const [{ default: postgres }, parser] = await Promise.all([
    loadOptional<{ default: typeof import('postgres') }>('postgres', 'PostgreSQL'),
    loadOptional<typeof import('libpg-query')>('libpg-query'),
  ])
  const connectPool = () =>
    postgres({
      ...options,
      ...boundedBy(options),
      max: MOST_CONNECTIONS,
      idle_timeout: 30,
      connect_timeout: 15,
      fetch_types: false,
      onnotice: () => undefined,
    })
  let sql = connectPool()
  await parser.loadModule()
  const [session] = await sql<
    { path: string[]; database: string }[]
  >`SELECT to_json(current_schemas(false)) AS path, current_database() AS database`.catch(async (error: unknown) => {
    await sql.end({ timeout: 0 })
    throw unreachable(`the PostgreSQL database ${database}`, error, secrets)
  })
  const parse = (text: string, own: Pick<NameRules, 'ownFunctions' | 'rowTypes'> = { ownFunctions: [] }): ParsedSql =>
    parsePostgres(text, { searchPath: session!.path, ...own }, parser.parseSync)
  const opened: PostgresSession = {
    get sql() {
      return sql
    },
    secrets,
    typeNames: new Map(),
    leaving: new Set(),
  }
  let isReady: Promise<unknown> = Promise.resolve()
  /**
   * The driver does not get over a connection that was given up in the middle of an answer, and reserves none before
   * one has answered.
   */
  const renewPool = (): void => {
    void sql.end({ timeout: 0 }).catch(() => undefined)
    sql = connectPool()
    isReady = sql`SELECT 1`.catch(() => undefined)
  }
  const ask = async (statement: PostgresStatement): Promise<QueryResult> => {
    await isReady
    try {
      return await queryPostgres(opened, statement)
    } catch (error) {
      if (error instanceof AppError && error.details?.['reason'] === 'memory') renewPool()
      throw error
    }
  }
  const query: Warehouse['query'] = async (text, limits, signal) => {
    if (BEGINS_AS_SELECT.test(text)) return ask({ text, isSelect: true, limits, signal })
    const [statement] = parse(text).statements
    // After an empty text or a COPY the driver waits for an answer that never comes, and the connection is lost.
    if (text.trim() === '' || statement?.verb === 'COPY')
      throw new AppError('invalid_input', `${statement?.verb ?? 'an empty statement'} gives no rows`, {
        hint: 'Send a SELECT.',
      })
    return ask({ text, isSelect: statement?.verb === 'SELECT', limits, signal })
  }
  return {
    dialect: postgresDialect,
    ...openCatalogueSnapshot({
      database: session!.database,
      load: () => inTransaction(sql, readCatalogue),
      count: (table) => countRows(table, query),
      wholeMark: () => inTransaction(sql, async (rows) => String((await rows(NEXT_WRITE))[0]?.['mark'])),
      look: (table) => lookAtRows(table, query),
    }),
    parse: async (text) => parse(text, await readOwnNames(sql)),
    query,
    history: (limit) => readHistory(sql, limit),
    quote,
    async close() {
      // The driver waits in vain for a connection that is given back while it ends; one whose statement never ended is
      // not waited for.
      await Promise.race([Promise.all(opened.leaving), setTimeout(CLOSE_SECONDS * 1000, undefined, { ref: false })])
      await sql.end({ timeout: CLOSE_SECONDS })
    },
  }
}

/** The driver makes its own connection where the host is a folder with a socket in it. */
function boundedBy({ host, port }: ReturnType<typeof address>['options']): { socket?: () => Promise<Socket> } {
  if (typeof host !== 'string' || typeof port !== 'number' || host.startsWith('/')) return {}
  return {
    async socket() {
      const socket = boundedSocket(connect({ host, port, noDelay: true }))
      await once(socket, 'connect')
      // The driver tells TLS by this name whom it expects.
      return Object.assign(socket, { host })
    },
  }
}

/**
 * Whatever follows, the cursor takes it for one SELECT or refuses it; parsing it here as well would cost a tenth of a
 * sync.
 */
const BEGINS_AS_SELECT = /^\s*SELECT\s/i

function parsePostgres(
  text: string,
  session: Omit<NameRules, 'exactCase'>,
  parseTree: (text: string) => unknown,
): ParsedSql {
  try {
    return fromPostgresTree(parseTree(text), text, session)
  } catch (error) {
    return unreadable(whyUnreadable(error))
  }
}

const CATALOGUE_MS = 120_000
// Definitions of views and indexes wait for whoever is altering a table of theirs.
const LOCKED_MS = 10_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Reads in one transaction, whose statements go out in one go. One of minutes, or one whose asker is gone, must not stay
 * behind on the server.
 */
const inTransaction = <T>(sql: Sql, read: (rows: RunRows) => Promise<T>): Promise<T> =>
  sql
    .begin('read only', async (transaction) => {
      const bounds = transaction.unsafe(
        `SELECT set_config('lock_timeout', '${LOCKED_MS}', true), set_config('statement_timeout', '${CATALOGUE_MS}', true), set_config('idle_in_transaction_session_timeout', '${CATALOGUE_MS}', true)`,
      )
      // Nothing is sent before somebody waits for it, and this must go first.
      const bounded = bounds.execute()
      const [found] = await Promise.all([read((text) => transaction.unsafe(text)), bounded])
      return found
    })
    .catch((error: unknown) => {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      throw new AppError('unavailable', `somebody has locked a table for longer than ${LOCKED_MS / 1000} s`, {
        hint: 'An ALTER TABLE, a VACUUM FULL or an open transaction holds it; sync again when that is over.',
      })
    }) as Promise<T>

/** Every transaction that writes, anywhere in the cluster, takes the next number; reading takes none. */
const NEXT_WRITE = 'SELECT txid_snapshot_xmax(txid_current_snapshot())::text AS mark'

// The server tells its counters up to ten seconds late, so what is small is read: a megabyte takes milliseconds.
const READ_BYTES = 1024 ** 2

/** By the newest row and their number where they are few; else by what the server counted, and by size. */
async function lookAtRows(
  { kind, schema, name, mark, bytes }: TableDetails,
  query: Warehouse['query'],
): Promise<string | undefined> {
  if (kind !== 'table' || bytes === undefined || bytes > READ_BYTES) return mark
  const newest = `SELECT count(*), max(xmin::text::int8) FROM ${quote(schema)}.${quote(name)}`
  // A role that may read some columns only may not read this one, and an estimate may have been wrong.
  const found = await query(withSyncComment(newest), { rows: 1, bytes: 100, milliseconds: 2_000 }).catch(
    () => undefined,
  )
  return found === undefined ? mark : `rows ${String(found.rows[0]?.[0])} ${String(found.rows[0]?.[1] ?? '')}`
}

// Tables up to this size are counted; for larger ones the planner's estimate is near enough.
const COUNTED_ROWS = 100_000

async function countRows(
  { kind, schema, name, rows }: TableDetails,
  query: Warehouse['query'],
): Promise<RowCount | undefined> {
  if (kind === 'view' || kind === 'external' || (rows && rows.count > COUNTED_ROWS)) return rows
  try {
    const counted = await query(withSyncComment(`SELECT count(*) FROM ${quote(schema)}.${quote(name)}`), {
      rows: 1,
      bytes: 100,
      milliseconds: 2_000,
    })
    return { count: Number(counted.rows[0]?.[0]), exact: true }
  } catch {
    return rows
  }
}

const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
