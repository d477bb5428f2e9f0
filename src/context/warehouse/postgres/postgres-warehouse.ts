import { Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { AppError } from '../../../kernel/domain/errors.ts'
import { loadOptional } from '../../../kernel/system/optional-package.ts'
import type { Row, RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { RowCount, TableDetails } from '../../domain/sql/catalogue.ts'
import { withSyncComment } from '../../domain/sql/query.ts'
import { unreadable, whyUnreadable, type NameRules, type ParsedSql } from '../../domain/sql/statement.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { boundedSocket } from '../bounded-socket.ts'
import { openCatalogueSnapshot } from '../catalogue-snapshot.ts'
import { openPostgresPool, type PostgresDriver, type PostgresPool } from '../postgres-pool.ts'
import { unreachable } from '../warehouse-limits.ts'
import { readCatalogue, readHistory, readOwnNames } from './catalogue.ts'
import { postgresDialect } from './dialect.ts'
import { fromPostgresTree } from './from-postgres-tree.ts'
import type { PostgresConnection } from './index.ts'
import { queryPostgres } from './query.ts'

// Opened as needed; sequential statements take two, because the next one begins while the last one is rolled back.
const MOST_CONNECTIONS = 12
const IDLE_MS = 30_000

/** PostgreSQL database: every statement runs alone in a READ ONLY transaction. */
export async function openPostgresWarehouse(given: PostgresConnection): Promise<Warehouse> {
  const { database, secrets } = address(given)
  const [{ default: pg }, parser] = await Promise.all([
    loadOptional<{ default: PostgresDriver }>('pg', 'PostgreSQL'),
    loadOptional<typeof import('libpg-query')>('libpg-query'),
  ])
  await parser.loadModule()
  const { pool, session } = await connect(pg, given).catch((error: unknown) => {
    throw unreachable(`the PostgreSQL database ${database}`, error, secrets)
  })
  const parse = (text: string, own: Pick<NameRules, 'ownFunctions' | 'rowTypes'> = { ownFunctions: [] }): ParsedSql =>
    parsePostgres(text, { searchPath: session.path, ...own }, parser.parseSync)
  const opened = { pool, secrets, typeNames: new Map<number, string>() }
  const query: Warehouse['query'] = async (text, limits, signal, values = []) => {
    if (BEGINS_AS_SELECT.test(text)) return queryPostgres(opened, { text, values, isSelect: true, limits, signal })
    const [statement] = parse(text).statements
    if (text.trim() === '' || statement?.verb === 'COPY')
      throw new AppError('invalid_input', `${statement?.verb ?? 'an empty statement'} returns no rows`, {
        hint: 'Send a SELECT.',
      })
    // A statement that only the server can parse may return any number of rows.
    const isSelect = statement === undefined || statement.verb === 'SELECT'
    return queryPostgres(opened, { text, values, isSelect, limits, signal })
  }
  return {
    dialect: postgresDialect,
    ...openCatalogueSnapshot({
      database: session.database,
      load: () => inTransaction(pool, readCatalogue),
      count: (table) => countRows(table, query),
      wholeMark: () => inTransaction(pool, async (rows) => String((await rows(NEXT_WRITE))[0]?.['mark'])),
      look: (table) => lookAtRows(table, query),
    }),
    parse: async (text) => parse(text, await readOwnNames(pool.rows)),
    query,
    history: (limit) => inTransaction(pool, (rows) => readHistory(rows, limit)),
    quote,
    close: () => pool.close(),
  }
}

interface Session {
  readonly path: readonly string[]
  readonly database: string
}

async function connect(
  pg: PostgresDriver,
  given: PostgresConnection,
): Promise<{ pool: PostgresPool; session: Session }> {
  const { options, prefersTls } = address(given)
  const pool = openPostgresPool(pg, {
    ...options,
    max: MOST_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    pipeline: true,
    stream: () => boundedSocket(new Socket()),
  })
  try {
    const [session] = await pool.rows<Session>(
      'SELECT to_json(current_schemas(false)) AS path, current_database() AS database',
    )
    return { pool, session: session! }
  } catch (error) {
    await pool.close()
    if (prefersTls && NO_TLS.test((error as Error).message)) return connect(pg, { ...given, ssl: false })
    throw error
  }
}

const NO_TLS = /^The server does not support SSL/

/**
 * The cursor accepts any following text as one SELECT or rejects it; parsing it here too would cost a tenth of a sync.
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
// Reading view and index definitions waits for any ALTER of their tables.
const LOCKED_MS = 10_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Reads in one transaction with pipelined statements. A transaction that takes minutes, or whose caller is gone, must
 * not stay open on the server.
 */
async function inTransaction<T>(pool: PostgresPool, read: (rows: RunRows) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(
      `BEGIN READ ONLY; SET LOCAL lock_timeout = ${LOCKED_MS}; SET LOCAL statement_timeout = ${CATALOGUE_MS}; SET LOCAL idle_in_transaction_session_timeout = ${CATALOGUE_MS}`,
    )
    return await read(async (text) => (await client.query<Row>(text)).rows)
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw new AppError('unavailable', `a table was locked for longer than ${LOCKED_MS / 1000} s`, {
      hint: 'An ALTER TABLE, a VACUUM FULL or an open transaction holds it; sync again when that is over.',
    })
  } finally {
    pool.giveBack(client)
  }
}

/** Every writing transaction in the cluster takes the next number; reading takes none. */
const NEXT_WRITE = 'SELECT txid_snapshot_xmax(txid_current_snapshot())::text AS mark'

// The server reports its counters up to ten seconds late, so small tables are read: a megabyte takes milliseconds.
const READ_BYTES = 1024 ** 2

/** Few rows: the newest row and the row count; otherwise the server's counters, and the size. */
async function lookAtRows(
  { kind, schema, name, mark, bytes }: TableDetails,
  query: Warehouse['query'],
): Promise<string | undefined> {
  if (kind !== 'table' || bytes === undefined || bytes > READ_BYTES) return mark
  const newest = `SELECT count(*), max(xmin::text::int8) FROM ${quote(schema)}.${quote(name)}`
  // A role with column privileges may not read `xmin`, and the size estimate may have been wrong.
  const found = await query(withSyncComment(newest), { rows: 1, bytes: 100, milliseconds: 2_000 }).catch(
    () => undefined,
  )
  return found === undefined ? mark : `rows ${String(found.rows[0]?.[0])} ${String(found.rows[0]?.[1] ?? '')}`
}

// Tables up to this size are counted; for larger ones the planner's estimate is close enough.
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

interface Address {
  readonly options: ClientConfig
  /** Connects without TLS if the server has none. */
  readonly prefersTls: boolean
  readonly database: string
  readonly secrets: readonly (string | undefined)[]
}

export function address(given: PostgresConnection): Address {
  const url = given.url === undefined ? undefined : new URL(given.url)
  const database = given.database ?? decodeURIComponent(url?.pathname.slice(1) ?? '')
  const password = given.password ?? (url?.password ? decodeURIComponent(url.password) : undefined)
  const port = given.port ?? Number(url?.port || 5432)
  const user = given.user ?? (url?.username ? decodeURIComponent(url.username) : undefined)
  const ssl = given.ssl ?? sslOf(url?.searchParams.get('sslmode'))
  return {
    options: {
      host: given.host ?? (url?.hostname || 'localhost'),
      port,
      database,
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ssl: ssl === 'verify-full' || (ssl !== false && { rejectUnauthorized: false }),
    },
    prefersTls: ssl === 'prefer',
    database,
    secrets: [given.url, password, url?.password],
  }
}

function sslOf(mode: string | null | undefined): 'require' | 'prefer' | 'verify-full' | false {
  if (mode === 'require' || mode === 'prefer' || mode === 'verify-full') return mode
  return mode === 'verify-ca' && 'verify-full'
}
