import {
  DuckDBBlobValue,
  DuckDBDecimalValue,
  JsonDuckDBValueConverter,
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBValueConverter,
} from '@duckdb/node-api'
import { AppError } from '../../core/errors.ts'
import { pivotWithValues } from '../../core/sql/duckdb-pivot.ts'
import { cellFromDecimal, cellFromInteger, cellFromNested, collectRows, type Cell } from '../../core/sql/query.ts'
import type { QueryLimits, QueryResult, StopSignal } from '../../ports/warehouse.ts'
import { refusedByEngine, runWithin } from '../warehouse-limits.ts'

interface Bounds {
  readonly limits: QueryLimits
  readonly signal: StopSignal | undefined
}

/** One statement on a connection of its own, read chunk by chunk until the limits are reached. */
export function queryDuckdb(connection: DuckDBConnection, sql: string, { limits, signal }: Bounds): Promise<QueryResult> {
  return runWithin({
    limits,
    signal,
    stop: () => connection.interrupt(),
    async run(isStopped) {
      try {
        const prepared = await prepare(connection, sql)
        if (isStopped()) throw new Error('stopped')
        return await readWithin(await prepared.stream(), limits)
      } catch (error) {
        throw refusedByEngine(error)
      }
    },
  })
}

async function prepare(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const statements = await connection.extractStatements(sql)
  // A PIVOT without values comes as two: one makes a type for the values that were found, for this connection only.
  const makesType = statements.count === 2 && pivotWithValues(sql) !== undefined
  if (statements.count !== 1 && !makesType)
    throw new AppError('invalid_input', `${statements.count} statements were sent`, { hint: 'Send one.' })
  if (makesType) await (await statements.prepare(0)).run()
  return statements.prepare(statements.count - 1)
}

async function readWithin(result: DuckDBResult, limits: QueryLimits): Promise<QueryResult> {
  const collector = collectRows(limits)
  const columns = result.columnNames().map((name, i) => ({ name, type: String(result.columnType(i)) }))
  for await (const chunk of result) {
    if (!chunk.convertRows(toCell).every((row) => collector.add(row))) break
  }
  return collector.finish(columns)
}

const toCell: DuckDBValueConverter<Cell> = (value, type) => {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return cellFromInteger(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object') return value
  if (value instanceof DuckDBDecimalValue) return cellFromDecimal(String(value))
  if (value instanceof DuckDBBlobValue) return String.raw`\x` + Buffer.from(value.bytes).toString('hex')
  if (NESTED.has(value.constructor.name)) return cellFromNested(JsonDuckDBValueConverter(value, type, JsonDuckDBValueConverter))
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
