import type { ColumnList, ReservedSql, UnsafeQueryOptions } from 'postgres'
import {
  cellFromDecimal,
  cellFromInteger,
  cellFromUtf8,
  collectRows,
  type Cell,
  type QueryLimits,
  type RowCollector,
} from '../../core/sql/query.ts'

export interface Fetched {
  readonly collector: RowCollector
  /** `type` is the type's oid. */
  readonly columns: readonly { readonly name: string; readonly type: number }[]
}

// The extended protocol takes one statement only; the simple one would run whatever follows a semicolon.
export const ONE_STATEMENT: UnsafeQueryOptions = Object.assign({ prepare: false }, { simple: false })
const PORTION = 500

/** Runs one statement over PostgreSQL's protocol and fetches it in portions until the limits are reached. */
export async function fetchPostgresRows(
  session: ReservedSql,
  text: string,
  { limits, canStop }: { limits: QueryLimits; canStop(stop: () => Promise<void>): void },
): Promise<Fetched> {
  const statement = session.unsafe(text, [], ONE_STATEMENT).raw()
  canStop(async () => void (await statement.cancel()))
  const portions = TELLS_PLAN_OR_SETTING.test(text)
    ? [await statement]
    : statement.cursor(Math.min(PORTION, limits.rows + 1))
  const { collector, columns } = await readRows(limits, () => portions as unknown as AsyncIterable<RawRows>)
  // A result without rows may come without a portion, so its columns are asked for.
  return { collector, columns: columns ?? (await session.unsafe(text, [], ONE_STATEMENT).describe()).columns }
}

/** Portion after portion until the limits are reached. There are no columns when there was no portion. */
export async function readRows(
  limits: QueryLimits,
  portions: () => AsyncIterable<RawRows>,
): Promise<{ collector: RowCollector; columns: ColumnList<string> | undefined }> {
  const collector = collectRows(limits)
  let columns: ColumnList<string> | undefined
  for await (const portion of portions()) {
    columns ??= portion.columns
    const types = columns.map((column) => column.type)
    if (!portion.every((row) => collector.add(row.map((value, i) => toCell(value, types[i] ?? 0, limits))))) break
  }
  return { collector, columns }
}

type RawRows = readonly (readonly (Buffer | null)[])[] & { readonly columns: ColumnList<string> }

/** The driver's cursor loses the rows of these, and they give few. */
const TELLS_PLAN_OR_SETTING = /^(?:\s|--[^\n]*\n|\/\*.*?\*\/)*(?:EXPLAIN|SHOW)\b/is

const BOOLEAN = 16
const INTEGERS = new Set([20, 21, 23, 26])
const FLOATS = new Set([700, 701])
const NUMERIC = 1700

function toCell(value: Buffer | null, type: number, limits: QueryLimits): Cell {
  if (value === null) return null
  const text = cellFromUtf8(value, limits)
  if (type === BOOLEAN) return text === 't'
  if (INTEGERS.has(type)) return cellFromInteger(BigInt(text))
  if (FLOATS.has(type)) return Number.isFinite(Number(text)) ? Number(text) : text
  return type === NUMERIC ? cellFromDecimal(text) : text
}
