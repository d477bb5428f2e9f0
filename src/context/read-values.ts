import { kindOf } from './domain/sources/column-kind.ts'
import type { ProfileColumn, ProfiledColumn, ProfileSource } from './domain/sources/table-profile.ts'
import type { Warehouse } from './ports/warehouse.ts'

const MOST_VALUES = 4_000
const LIMITS = { rows: MOST_VALUES, bytes: 2_000_000, milliseconds: 20_000 }

/** Distinct values of each text column, the most frequent ones of many. Skipped by an engine that bills reads. */
export async function readValues(
  columns: readonly ProfileColumn[],
  profiled: readonly ProfiledColumn[],
  { source, warehouse }: { readonly source: ProfileSource; readonly warehouse: Warehouse },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const values = new Map<string, readonly string[]>()
  if (warehouse.dialect.billsBytes) return values
  for (const { name, type, format, isJson } of columns) {
    const { distinct = 0, top = [] } = profiled.find((one) => one.name === name) ?? {}
    const isText = kindOf(type) === 'text' && !/uuid/i.test(type) && format === undefined && isJson !== true
    if (!isText || distinct === 0) continue
    if (top.length >= distinct) {
      values.set(
        name,
        top.map(({ value }) => value),
      )
      continue
    }
    const column = source.quote(name)
    const text = source.spelling.asText(column, type)
    const counted = `SELECT ${text} AS ken_value, COUNT(*) AS ken_count FROM ${source.from} WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY 2 DESC, 1`
    const found = await warehouse.query(source.spelling.firstRows(counted, MOST_VALUES), LIMITS).catch(() => undefined)
    if (found !== undefined)
      values.set(
        name,
        found.rows.map(([value]) => String(value)),
      )
  }
  return values
}
