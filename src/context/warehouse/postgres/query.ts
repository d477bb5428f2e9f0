import { setTimeout } from 'node:timers/promises'
import type { FieldDef, PoolClient } from 'pg'
import { collectRows, type Cell, type RowCollector } from '../../domain/sql/query.ts'
import type { BoundValue, QueryResult, QueryLimits, StopSignal } from '../../ports/warehouse.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { oneStatement } from '../postgres-rows.ts'
import { refusedByEngine, runWithin, unreachable } from '../warehouse-limits.ts'

export interface PostgresStatement {
  readonly text: string
  readonly values: readonly BoundValue[]
  /** Whether a cursor can be declared for the statement: it reads and returns rows. */
  readonly isSelect: boolean
  readonly limits: QueryLimits
  readonly signal: StopSignal | undefined
}

export interface PostgresSession {
  /** Its connections pipeline statements. */
  readonly pool: PostgresPool
  readonly secrets: readonly (string | undefined)[]
  /** Known type names by oid; they do not change while a database is open. */
  readonly typeNames: Map<number, string>
}

/** Runs one statement in a separate read-only transaction. */
export async function queryPostgres(
  { pool, secrets, typeNames }: PostgresSession,
  { text, values, isSelect, limits, signal }: PostgresStatement,
): Promise<QueryResult> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unreachable('the PostgreSQL database', error, secrets)
  })
  let begun: Promise<unknown> | undefined
  let cancelling: Promise<void> | undefined
  // A statement that has not begun cannot be cancelled.
  const stop = async (): Promise<void> => await (cancelling = begun?.then(() => pool.cancel(client)))
  const run = async (isStopped: () => boolean): Promise<QueryResult> => {
    const most = Math.ceil(limits.milliseconds) + MARGIN_MS
    try {
      begun = client.query(
        `BEGIN READ ONLY; SET LOCAL statement_timeout = ${most}; SET LOCAL idle_in_transaction_session_timeout = ${most}; ${SETTINGS}`,
      )
      if (!isSelect) await begun
      if (isStopped()) throw new Error('stopped')
      const { collector, columns } = isSelect
        ? await fetchByCursor(client, { text, values, limits, begun })
        : await fetchAtOnce(client, { text, values, limits })
      await learnTypes(columns, client, typeNames)
      return collector.finish(
        columns.map(({ name, dataTypeID }) => ({ name, type: typeNames.get(dataTypeID) ?? 'unknown' })),
      )
    } catch (error) {
      throw refusedByEngine(error, { secrets, about: aboutOf(error) })
    }
  }
  try {
    return await runWithin({ limits, signal, run, stop })
  } finally {
    // A pending cancel would hit the next statement of this connection. One for a lost connection is never answered.
    if (cancelling !== undefined)
      await Promise.race([cancelling.catch(() => undefined), setTimeout(CANCEL_MS, undefined, { ref: false })])
    pool.giveBack(client)
  }
}

/** SQLSTATE class 42: unknown names, syntax, privileges. */
const aboutOf = (error: unknown): 'statement' | 'data' =>
  String((error as { code?: unknown }).code).startsWith('42') ? 'statement' : 'data'

// Ken's timer stops a statement; the server's limit applies if Ken has exited.
const MARGIN_MS = 1_000
const CANCEL_MS = 5_000
// Without `cursor_tuple_fraction` a cursor is planned for its first rows.
const SETTINGS =
  "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL standard_conforming_strings = on; SET LOCAL cursor_tuple_fraction = 1"
const PORTION = 500
/** Prefix of Ken's statements in the database's history. */
export const DECLARE = 'DECLARE ken_rows NO SCROLL CURSOR FOR '

type ToFetch = Pick<PostgresStatement, 'text' | 'values' | 'limits'>

interface Fetched {
  readonly collector: RowCollector
  readonly columns: readonly FieldDef[]
}

/**
 * Pipelined after the BEGIN, so that a short result takes one round trip. A cursor exists only inside a transaction and
 * only for reads: if the BEGIN fails, nothing runs.
 */
async function fetchByCursor(
  client: PoolClient,
  { text, values, limits, begun }: ToFetch & { begun: Promise<unknown> },
): Promise<Fetched> {
  const portion = Math.min(PORTION, limits.rows + 1)
  const fetch = () => client.query<Cell[]>(oneStatement(`FETCH ${portion} FROM ken_rows`, limits))
  const declared = Promise.all([begun, client.query(oneStatement(`${DECLARE}${text}`, limits, values))])
  const first = fetch()
  // This error only states that there is no cursor; the DECLARE reports why.
  first.catch(() => undefined)
  await declared
  const collector = collectRows(limits)
  for (let fetched = await first; ; fetched = await fetch()) {
    const { rows, fields } = fetched
    if (!rows.every((row) => collector.add(row)) || rows.length < portion) return { collector, columns: fields }
  }
}

/** Plans and settings return few rows, and other non-SELECTs return none. */
async function fetchAtOnce(client: PoolClient, { text, values, limits }: ToFetch): Promise<Fetched> {
  const { rows, fields } = await client.query<Cell[]>(oneStatement(text, limits, values))
  const collector = collectRows(limits)
  rows.every((row) => collector.add(row))
  return { collector, columns: fields }
}

async function learnTypes(columns: Fetched['columns'], client: PoolClient, known: Map<number, string>): Promise<void> {
  const types = [...new Set(columns.map((column) => column.dataTypeID))].filter((type) => !known.has(type))
  if (types.length === 0) return
  const { rows } = await client.query<{ oid: string; name: string }>(
    `SELECT oid::int8 AS oid, format_type(oid, NULL) AS name FROM pg_type WHERE oid = ANY('{${types.join(',')}}')`,
  )
  for (const { oid, name } of rows) known.set(Number(oid), name)
}
