import { setTimeout } from 'node:timers/promises'
import type { ReservedSql, Sql } from 'postgres'
import type { QueryLimits, QueryResult, StopSignal } from '../../../ports/warehouse.ts'
import { fetchPostgresRows, ONE_STATEMENT, readRows, type Fetched } from '../postgres-rows.ts'
import { refusedByEngine, runWithin, unreachable } from '../warehouse-limits.ts'

export interface PostgresStatement {
  readonly text: string
  /** A cursor can be declared for it: it reads and gives rows. */
  readonly isSelect: boolean
  readonly limits: QueryLimits
  readonly signal: StopSignal | undefined
}

export interface PostgresSession {
  readonly sql: Sql
  readonly secrets: readonly (string | undefined)[]
  /** Names of types by oid, as far as they are known; they do not change while a database is open. */
  readonly typeNames: Map<number, string>
  /** Connections on their way back to the pool. */
  readonly leaving: Set<Promise<void>>
}

/** One statement in a read-only transaction of its own. */
export async function queryPostgres(
  { sql, secrets, typeNames, leaving }: PostgresSession,
  { text, isSelect, limits, signal }: PostgresStatement,
): Promise<QueryResult> {
  const session = await sql.reserve().catch((error: unknown) => {
    throw unreachable('the PostgreSQL database', error, secrets)
  })
  let cancel: (() => Promise<void>) | undefined
  let cancelling: Promise<void> | undefined
  const stop = async (): Promise<void> => await (cancelling = cancel?.())
  const run = async (isStopped: () => boolean): Promise<QueryResult> => {
    const most = Math.ceil(limits.milliseconds) + MARGIN_MS
    try {
      const begun = session
        .unsafe(
          `BEGIN READ ONLY; SET LOCAL statement_timeout = ${most}; SET LOCAL idle_in_transaction_session_timeout = ${most}; ${SETTINGS}`,
        )
        .execute()
      if (!isSelect) await begun
      if (isStopped()) throw new Error('stopped')
      const how = { limits, canStop: (stopIt: () => Promise<void>): void => void (cancel = stopIt) }
      const { collector, columns } = isSelect
        ? await fetchByCursor(session, text, { ...how, begun })
        : await fetchPostgresRows(session, text, how)
      await learnTypes(columns, session, typeNames)
      return collector.finish(columns.map(({ name, type }) => ({ name, type: typeNames.get(type) ?? 'unknown' })))
    } catch (error) {
      throw refusedByEngine(error, { secrets, about: aboutOf(error) })
    }
  }
  try {
    return await runWithin({ limits, signal, run, stop })
  } finally {
    // A cancel still on its way would hit the next statement of this connection. One for a connection that is gone is
    // never answered.
    if (cancelling !== undefined)
      await Promise.race([cancelling.catch(() => undefined), setTimeout(CANCEL_MS, undefined, { ref: false })])
    // The result need not wait for it; the connection must.
    const left = session
      .unsafe('ROLLBACK')
      .catch(() => undefined)
      .then(() => {
        session.release()
        leaving.delete(left)
      })
    leaving.add(left)
  }
}

/** SQLSTATE class 42: unknown names, syntax, rights. */
const aboutOf = (error: unknown): 'statement' | 'data' =>
  String((error as { code?: unknown }).code).startsWith('42') ? 'statement' : 'data'

// Our own clock stops a statement; the server's is for the day we are gone.
const MARGIN_MS = 1_000
const CANCEL_MS = 5_000
// Without the fraction a cursor is planned for its first rows.
const SETTINGS =
  "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL standard_conforming_strings = on; SET LOCAL cursor_tuple_fraction = 1"
const PORTION = 500
/** What the database remembers our statements with. */
export const DECLARE = 'DECLARE ken_rows NO SCROLL CURSOR FOR '

/**
 * Sent in one go behind the BEGIN, so that a short result takes one round trip. A cursor exists only inside a
 * transaction and only for what reads: should the BEGIN fail, nothing runs.
 */
async function fetchByCursor(
  session: ReservedSql,
  text: string,
  {
    limits,
    canStop,
    begun,
  }: { limits: QueryLimits; canStop(stop: () => Promise<void>): void; begun: Promise<unknown> },
): Promise<Fetched> {
  const portion = Math.min(PORTION, limits.rows + 1)
  const fetch = () => {
    const fetching = session.unsafe(`FETCH ${portion} FROM ken_rows`, [], ONE_STATEMENT).raw()
    canStop(async () => void (await declared.then(() => fetching.cancel())))
    return fetching
  }
  const declared = Promise.all([begun, session.unsafe(`${DECLARE}${text}`, [], ONE_STATEMENT).execute()])
  const first = fetch().execute()
  // Its own fault is only that there is no cursor; the DECLARE says why.
  first.catch(() => undefined)
  await declared
  const { collector, columns = [] } = await readRows(limits, async function* () {
    for (let rows = await first; ; rows = await fetch()) {
      yield rows
      if (rows.length < portion) return
    }
  })
  return { collector, columns }
}

async function learnTypes(
  columns: Fetched['columns'],
  session: ReservedSql,
  known: Map<number, string>,
): Promise<void> {
  const types = [...new Set(columns.map((column) => column.type))].filter((type) => !known.has(type))
  if (types.length === 0) return
  const rows = await session.unsafe(
    `SELECT oid::int8 AS oid, format_type(oid, NULL) AS name FROM pg_type WHERE oid = ANY('{${types.join(',')}}')`,
  )
  for (const row of rows) known.set(Number(row['oid']), String(row['name']))
}
