import type { TableSummary, Warehouse } from './ports/warehouse.ts'

const LIMITS = { rows: 1, bytes: 1_000, milliseconds: 5_000 }

// Common names of the column that every write sets, most reliable first.
const NAMES = [
  /^(?:last_?)?(?:updated|modified|changed)(?:_?(?:at|on|time|date|ts))?$/i,
  /^(?:row_)?(?:update|modification)_?(?:time|date|ts)$/i,
  /^(?:created|inserted|loaded|ingested|synced)(?:_?(?:at|on|time|date|ts))?$/i,
  /^_(?:fivetran_synced|airbyte_extracted_at|loaded_at)$/i,
]
const MOMENT = /^(?:date|datetime|timestamp|smalldatetime)/i

/**
 * For tables the engine reports nothing about: the newest time in a column that every write seems to set. Skipped if
 * reading is billed or slow; then age alone decides.
 */
export async function lookAtTimes(summary: TableSummary, warehouse: Warehouse): Promise<string | undefined> {
  if (warehouse.dialect.billsBytes) return undefined
  const { columns } = await warehouse.describe(summary)
  const column = NAMES.flatMap((name) => columns.filter((one) => name.test(one.name) && MOMENT.test(one.type)))[0]
  if (column === undefined) return undefined
  const newest = `MAX(${warehouse.quote(column.name)})`
  const from = `${warehouse.quote(summary.schema)}.${warehouse.quote(summary.name)}`
  const { rows } = await warehouse.query(`SELECT ${newest} AS ken_newest FROM ${from}`, LIMITS)
  return `newest ${String(rows[0]?.[0] ?? '')}`
}
