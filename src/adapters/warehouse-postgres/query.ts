import type { ReservedSql, Sql } from 'postgres'
import type { QueryLimits, QueryResult, StopSignal } from '../../ports/warehouse.ts'
import { fetchPostgresRows } from '../postgres-rows.ts'
import { refusedByEngine, runWithin, unreachable } from '../warehouse-limits.ts'

interface Bounds {
  readonly limits: QueryLimits
  readonly signal: StopSignal | undefined
  readonly secrets: readonly (string | undefined)[]
}

/** One statement in a read-only transaction of its own. */
export async function queryPostgres(sql: Sql, text: string, { limits, signal, secrets }: Bounds): Promise<QueryResult> {
  const session = await sql.reserve().catch((error: unknown) => {
    throw unreachable('the PostgreSQL database', error, secrets)
  })
  let cancel: (() => Promise<void>) | undefined
  let cancelling: Promise<void> | undefined
  const stop = async (): Promise<void> => await (cancelling = cancel?.())
  const run = async (isStopped: () => boolean): Promise<QueryResult> => {
    try {
      await session.unsafe(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(limits.milliseconds) + MARGIN_MS}; ${SETTINGS}`)
      if (isStopped()) throw new Error('stopped')
      const { collector, columns } = await fetchPostgresRows(session, text, { limits, canStop: (how) => (cancel = how) })
      const names = await typeNames(columns, session)
      return collector.finish(columns.map(({ name, type }) => ({ name, type: names.get(type) ?? 'unknown' })))
    } catch (error) {
      throw refusedByEngine(error, secrets)
    }
  }
  try {
    return await runWithin({ limits, signal, run, stop })
  } finally {
    // A cancel still on its way would hit the next statement of this connection.
    await cancelling?.catch(() => undefined)
    await session.unsafe('ROLLBACK').catch(() => undefined)
    session.release()
  }
}

// Our own clock stops a statement; the server's is for the day we are gone.
const MARGIN_MS = 1_000
const SETTINGS = "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL standard_conforming_strings = on"

async function typeNames(columns: readonly { readonly type: number }[], session: ReservedSql): Promise<ReadonlyMap<number, string>> {
  const types = [...new Set(columns.map((column) => column.type))]
  const rows = await session.unsafe(
    `SELECT oid::int8 AS oid, format_type(oid, NULL) AS name FROM pg_type WHERE oid = ANY('{${types.join(',')}}')`,
  )
  return new Map(rows.map((row) => [Number(row['oid']), String(row['name'])]))
}
