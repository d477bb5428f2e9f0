import { sha256 } from '../kernel/domain/sha256.ts'
import type { DatabaseConfig } from './domain/context-project/config.ts'
import { openIdentifierWords } from './domain/schema/identifier-words.ts'
import { inferJoins, type InferredJoin } from './domain/schema/infer-joins.ts'
import { isBelieved, turned, type MeasuredJoin } from './domain/schema/join-evidence.ts'
import type { JoinsOfTable } from './domain/sources/joins-view.ts'
import { hiddenColumns } from './hidden-columns.ts'
import type { TableDetails, TableRef, Warehouse } from './ports/warehouse.ts'

/** Joins between the tables of one database: declared ones, and those that names and rows suggest. */
export interface TableJoins {
  /** Changes if the catalogue implies different joins for a table. */
  mark(table: TableRef): string
  of(table: TableRef): Promise<JoinsOfTable>
}

const LIMITS = { rows: 10, bytes: 100_000, milliseconds: 10_000 }
// In a schema of thousands of tables, the rest is judged by names only.
const MOST_MEASURED = 3_000

export function openTableJoins(
  tables: readonly TableDetails[],
  { warehouse, config }: { readonly warehouse: Warehouse; readonly config: DatabaseConfig },
): TableJoins {
  const all = tables.map((table) => withoutHidden(table, config))
  const words = openIdentifierWords(
    all.flatMap((table) => [table.name, ...table.columns.map(({ name }) => name)]),
    () => false,
  )
  const candidates = inferJoins(
    all.map((table) => ({ ...table, isView: table.kind !== 'table' && table.kind !== 'external' })),
    words,
  )
  const meter = openJoinMeter(all, { warehouse, config, measurable: new Set(candidates.slice(0, MOST_MEASURED)) })
  const byTable = new Map<string, InferredJoin[]>()
  for (const join of candidates)
    for (const key of new Set([keyOf(join.from), keyOf(join.to)])) {
      const own = byTable.get(key)
      if (own === undefined) byTable.set(key, [join])
      else own.push(join)
    }
  const referring = Map.groupBy(
    all.flatMap((table) => table.foreignKeys.map((key) => ({ from: table as TableRef, ...key }))),
    ({ references }) => keyOf(references),
  )
  return {
    mark: (table) =>
      sha256(
        JSON.stringify([
          (byTable.get(keyOf(table)) ?? []).map(({ from, column, to, referenced }) => [
            keyOf(from),
            column,
            keyOf(to),
            referenced,
          ]),
          (referring.get(keyOf(table)) ?? []).map(({ from, columns, referenced }) => [
            keyOf(from),
            columns,
            referenced,
          ]),
        ]),
      ).slice(0, 8),
    async of(table) {
      const measured = await Promise.all((byTable.get(keyOf(table)) ?? []).map(meter))
      const believed = measured.filter(isBelieved).toSorted(byPlace)
      return {
        referredBy: referring.get(keyOf(table)) ?? [],
        inferred: believed.filter(({ from }) => keyOf(from) === keyOf(table)),
        inferredBy: believed.filter(({ from }) => keyOf(from) !== keyOf(table)),
      }
    },
  }
}

/** Measures each join once, and only if both tables are small enough to read. */
function openJoinMeter(
  tables: readonly TableDetails[],
  {
    warehouse,
    config,
    measurable,
  }: {
    readonly warehouse: Warehouse
    readonly config: DatabaseConfig
    readonly measurable: ReadonlySet<InferredJoin>
  },
): (join: InferredJoin) => Promise<MeasuredJoin> {
  const details = new Map(tables.map((table) => [keyOf(table), table]))
  const measured = new Map<InferredJoin, Promise<MeasuredJoin>>()
  const isReadable = (table: TableDetails | undefined): table is TableDetails =>
    table?.kind === 'table' && (table.rows === undefined || table.rows.count <= config.profiling.max_rows)
  // If reads are billed, only names are used.
  const mayRead = config.documents.includes('profiling') && !warehouse.dialect.billsBytes
  const uniqueness = new Map<string, Promise<boolean>>()
  const isUnique = (table: TableDetails, column: string): Promise<boolean> => {
    const key = JSON.stringify([keyOf(table), column])
    let asked = uniqueness.get(key)
    if (asked === undefined) uniqueness.set(key, (asked = askUnique(table, column, warehouse)))
    return asked
  }
  const measure = async (given: InferredJoin): Promise<MeasuredJoin> => {
    const [one, other] = [details.get(keyOf(given.from)), details.get(keyOf(given.to))]
    if (!mayRead || !measurable.has(given) || !isReadable(one) || !isReadable(other)) return given
    try {
      const unique = [await isUnique(one, given.column), await isUnique(other, given.referenced)] as const
      const isTurned = given.why !== 'name' && unique[0] && !unique[1]
      const [isUniqueFrom, isUniqueTo] = isTurned ? [unique[1], unique[0]] : unique
      const [from, to] = isTurned ? [other, one] : [one, other]
      const join = isTurned ? turned(given) : given
      const [values, found] = await askContained(join, { from, to }, warehouse)
      return { ...join, evidence: { values, found, isUniqueFrom, isUniqueTo } }
    } catch {
      // The measurement took too long, or the engine cannot compare the two columns.
      return given
    }
  }
  return (join) => {
    let asked = measured.get(join)
    if (asked === undefined) measured.set(join, (asked = measure(join)))
    return asked
  }
}

async function askContained(
  join: InferredJoin,
  { from, to }: { readonly from: TableDetails; readonly to: TableDetails },
  warehouse: Warehouse,
): Promise<readonly [number, number]> {
  const [one, other] = [typeOf(from, join.column), typeOf(to, join.referenced)]
  const side = (table: TableDetails, column: string, type: string): string => {
    const quoted = warehouse.quote(column)
    const value = one === other ? quoted : warehouse.dialect.spelling.asText(quoted, type)
    return `(SELECT DISTINCT ${value} AS ken_key FROM ${nameOf(table, warehouse)} WHERE ${quoted} IS NOT NULL)`
  }
  const { rows } = await warehouse.query(
    `SELECT COUNT(*) AS ken_values, COUNT(ken_to.ken_key) AS ken_found FROM ${side(from, join.column, one)} AS ken_from ` +
      `LEFT JOIN ${side(to, join.referenced, other)} AS ken_to ON ken_from.ken_key = ken_to.ken_key`,
    LIMITS,
  )
  return [Number(rows[0]?.[0]), Number(rows[0]?.[1])]
}

async function askUnique(table: TableDetails, column: string, warehouse: Warehouse): Promise<boolean> {
  if (table.primaryKey.length === 1 && table.primaryKey[0] === column) return true
  const quoted = warehouse.quote(column)
  const { rows } = await warehouse.query(
    `SELECT COUNT(${quoted}) AS ken_count, COUNT(DISTINCT ${quoted}) AS ken_distinct FROM ${nameOf(table, warehouse)}`,
    LIMITS,
  )
  return Number(rows[0]?.[0]) === Number(rows[0]?.[1])
}

const typeOf = (table: TableDetails, column: string): string =>
  table.columns.find(({ name }) => name === column)?.type ?? ''

function withoutHidden(table: TableDetails, config: DatabaseConfig): TableDetails {
  const hidden = hiddenColumns(table, config)
  if (hidden.length === 0) return table
  return {
    ...table,
    columns: table.columns.filter(({ name }) => !hidden.includes(name)),
    foreignKeys: table.foreignKeys.filter((key) => !key.columns.some((column) => hidden.includes(column))),
  }
}

const nameOf = (table: TableRef, warehouse: Warehouse): string =>
  `${warehouse.quote(table.schema)}.${warehouse.quote(table.name)}`
const keyOf = (table: TableRef): string => JSON.stringify([table.schema, table.name])
const placeOf = (join: MeasuredJoin): string =>
  JSON.stringify([join.column, keyOf(join.from), keyOf(join.to), join.referenced])
const byPlace = (one: MeasuredJoin, other: MeasuredJoin): number => (placeOf(one) < placeOf(other) ? -1 : 1)
