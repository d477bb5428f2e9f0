import type { ColumnList, ReservedSql, Sql, UnsafeQueryOptions } from 'postgres'
import { cellFromDecimal, cellFromInteger, collectRows, type Cell } from '../../core/sql/query.ts'
import type { QueryLimits, QueryResult, StopSignal } from '../../ports/warehouse.ts'
import { refusedByEngine, runWithin, unreachable } from '../warehouse-limits.ts'

interface Bounds {
  readonly limits: QueryLimits
  readonly signal: StopSignal | undefined
  readonly secrets: readonly (string | undefined)[]
}

/** One statement in a read-only transaction of its own, fetched in portions until the limits are reached. */
export async function queryPostgres(sql: Sql, text: string, { limits, signal, secrets }: Bounds): Promise<QueryResult> {
  const session = await sql.reserve().catch((error: unknown) => {
    throw unreachable('the PostgreSQL database', error, secrets)
  })
  let cancel = (): unknown => undefined
  const run = async (): Promise<QueryResult> => {
    try {
      await session.unsafe(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(limits.milliseconds) + MARGIN_MS}; ${SETTINGS}`)
      const statement = session.unsafe(text, [], ONE_STATEMENT).raw()
      cancel = () => statement.cancel()
      return await fetchRows(statement, limits, { session, text })
    } catch (error) {
      throw refusedByEngine(error, secrets)
    }
  }
  // A cancel still on its way would hit the next statement of this connection.
  let cancelling: Promise<unknown> = Promise.resolve()
  const stop = async (): Promise<void> => void (await (cancelling = Promise.resolve(cancel())))
  try {
    return await runWithin({ limits, signal, run, stop })
  } finally {
    await cancelling.catch(() => undefined)
    await session.unsafe('ROLLBACK').catch(() => undefined)
    session.release()
  }
}

const SETTINGS = "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL standard_conforming_strings = on"
// Our own clock stops a statement; the server's is for the day we are gone.
const MARGIN_MS = 1_000

// The extended protocol takes one statement only; the simple one would run whatever follows a semicolon.
const ONE_STATEMENT: UnsafeQueryOptions = Object.assign({ prepare: false }, { simple: false })

type RawRows = readonly (readonly (Buffer | null)[])[] & { readonly columns: ColumnList<string> }
interface Statement extends PromiseLike<unknown> {
  cursor(rows: number): AsyncIterable<unknown>
}

const PORTION = 500

async function fetchRows(statement: Statement, limits: QueryLimits, { session, text }: { session: ReservedSql; text: string }): Promise<QueryResult> {
  const collector = collectRows(limits)
  const portions = TELLS_PLAN_OR_SETTING.test(text) ? [await statement] : statement.cursor(Math.min(PORTION, limits.rows + 1))
  let columns: ColumnList<string> | undefined
  for await (const portion of portions as AsyncIterable<RawRows>) {
    columns ??= portion.columns
    const types = columns.map((column) => column.type)
    if (!portion.every((row) => collector.add(row.map((value, i) => toCell(value, types[i] ?? 0))))) break
  }
  // A result without rows never reaches the loop, so its columns are asked for.
  columns ??= (await session.unsafe(text, [], ONE_STATEMENT).describe()).columns
  const names = await typeNames(columns, session)
  return collector.finish(columns.map(({ name, type }) => ({ name, type: names.get(type) ?? 'unknown' })))
}

/** The driver's cursor loses the rows of these, and they give few. */
const TELLS_PLAN_OR_SETTING = /^(?:\s|--[^\n]*\n|\/\*.*?\*\/)*(?:EXPLAIN|SHOW)\b/is

async function typeNames(columns: ColumnList<string>, session: ReservedSql): Promise<ReadonlyMap<number, string>> {
  const types = [...new Set(columns.map((column) => column.type))]
  const rows = await session.unsafe(`SELECT oid::int8 AS oid, format_type(oid, NULL) AS name FROM pg_type WHERE oid = ANY('{${types.join(',')}}')`)
  return new Map(rows.map((row) => [Number(row['oid']), String(row['name'])]))
}

const BOOLEAN = 16
const INTEGERS = new Set([20, 21, 23, 26])
const FLOATS = new Set([700, 701])
const NUMERIC = 1700

function toCell(value: Buffer | null, type: number): Cell {
  if (value === null) return null
  const text = value.toString()
  if (type === BOOLEAN) return text === 't'
  if (INTEGERS.has(type)) return cellFromInteger(BigInt(text))
  if (FLOATS.has(type)) return Number.isFinite(Number(text)) ? Number(text) : text
  return type === NUMERIC ? cellFromDecimal(text) : text
}
