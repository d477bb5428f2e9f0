import {
  DuckDBBlobValue,
  DuckDBDecimalValue,
  JsonDuckDBValueConverter,
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBValueConverter,
} from '@duckdb/node-api'
import {
  cellFromBytes,
  cellFromDecimal,
  cellFromInteger,
  cellFromNested,
  collectRows,
  type Cell,
} from '../../domain/sql/query.ts'
import type { BoundValue, QueryLimits, QueryResult } from '../../ports/warehouse.ts'
import { pivotWithValues } from './pivot.ts'

/** Runs one statement on a separate connection, read row by row until the limits are reached. */
export async function queryDuckdb(
  connection: DuckDBConnection,
  { sql, limits, values }: { sql: string; limits: QueryLimits; values: readonly BoundValue[] },
): Promise<QueryResult> {
  const prepared = await prepare(connection, sql)
  if (values.length > 0) prepared.bind([...values])
  return readWithin(await prepared.stream(), limits)
}

async function prepare(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const statements = await connection.extractStatements(sql)
  // A PIVOT without values becomes two statements: one creates a type for the values found, for this connection only.
  const makesType = statements.count === 2 && pivotWithValues(sql) !== undefined
  if (statements.count !== 1 && !makesType) throw new Error(`Parser Error: ${statements.count} statements were sent`)
  if (makesType) await (await statements.prepare(0)).run()
  return statements.prepare(statements.count - 1)
}

async function readWithin(result: DuckDBResult, limits: QueryLimits): Promise<QueryResult> {
  const collector = collectRows(limits)
  const convert: DuckDBValueConverter<Cell> = (value, type) =>
    value instanceof DuckDBBlobValue ? cellFromBytes(value.bytes, limits) : toCell(value, type, convert)
  const columns = result.columnNames().map((name, i) => ({ name, type: String(result.columnType(i)) }))
  for await (const chunk of result) {
    for (let row = 0; row < chunk.rowCount; row++)
      if (!collector.add(chunk.convertRowValues(row, convert))) return collector.finish(columns)
  }
  return collector.finish(columns)
}

const toCell: DuckDBValueConverter<Cell> = (value, type) => {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return cellFromInteger(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object') return value
  if (value instanceof DuckDBDecimalValue) return cellFromDecimal(String(value))
  if (NESTED.has(value.constructor.name))
    return cellFromNested(JsonDuckDBValueConverter(value, type, JsonDuckDBValueConverter))
  return String(value)
}

const NESTED = new Set([
  'DuckDBListValue',
  'DuckDBArrayValue',
  'DuckDBStructValue',
  'DuckDBMapValue',
  'DuckDBUnionValue',
  'DuckDBVariantValue',
])
