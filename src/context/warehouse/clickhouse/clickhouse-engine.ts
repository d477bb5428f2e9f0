import { randomUUID } from 'node:crypto'
import { toCatalogueRows, type RunRows } from '../../domain/sql/catalogue-rows.ts'
import type { CatalogueRows } from '../../domain/sql/catalogue.ts'
import {
  cellFromDecimal,
  cellFromUnknown,
  collectRows,
  type Cell,
  type QueryLimits,
  type QueryResult,
} from '../../domain/sql/query.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { parseExactly } from '../exact-json.ts'
import {
  backQuoted,
  connectTo,
  escapedLiteral,
  openRemoteWarehouse,
  type RemoteEngine,
  loadDriver,
  type Driver,
} from '../remote-warehouse.ts'
import { clickhouseDialect } from './dialect.ts'
import type { ClickhouseConnection } from './index.ts'

export async function openClickhouseWarehouse(given: ClickhouseConnection): Promise<Warehouse> {
  const engine = clickhouseEngine(given)
  const driver = await connectTo(`ClickHouse at ${new URL(given.url).host}`, engine.secrets, () =>
    openClickhouseDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

/** A ClickHouse database corresponds to a schema elsewhere, so it is used as both. */
export const clickhouseEngine = ({ url, database, password }: ClickhouseConnection): RemoteEngine => ({
  dialect: clickhouseDialect,
  database,
  searchPath: [database],
  secrets: [password, new URL(url).password],
  readCatalogue: (rows) => readCatalogue(rows, escapedLiteral(database)),
  historySql: (limit) => `
    SELECT query AS sql_text, count() AS times, max(event_time) AS last_seen FROM system.query_log
    WHERE type = 'QueryFinish' AND query_kind = 'Select' AND current_database = ${escapedLiteral(database)} AND event_date > today() - 30
    GROUP BY query ORDER BY times DESC LIMIT ${limit}`,
  quote: backQuoted,
})

/**
 * One database in four queries. The primary key is a sorting order here, not a constraint; there are no foreign keys.
 */
async function readCatalogue(rows: RunRows, database: string): Promise<CatalogueRows> {
  const [tables, columns, primaryKeys, indexes] = await Promise.all([
    rows(`
      SELECT database AS schema_name, name AS table_name, engine AS kind, comment AS comment_text, as_select AS view_sql,
        total_rows AS row_estimate, total_bytes AS byte_estimate, if(p.parts = 0, NULL, toString(p.changed, 'UTC')) AS changed_at,
        if(p.parts = 0, NULL, concat(toString(total_rows), ' ', toString(p.block), ' ', toString(p.version))) AS data_mark,
        arrayStringConcat(arrayFilter(x -> x != '', [if(partition_key = '', '', concat('PARTITION BY ', partition_key)),
          if(sorting_key = '', '', concat('ORDER BY ', sorting_key))]), '\n') AS partition_key
      FROM system.tables t LEFT JOIN (
          SELECT table, count() AS parts, max(modification_time) AS changed, max(max_block_number) AS block, max(data_version) AS version
          FROM system.parts WHERE active AND database = ${database} GROUP BY table) p ON p.table = t.name
      WHERE database = ${database} AND NOT is_temporary AND name NOT LIKE '.inner%' ORDER BY name`),
    rows(`
      SELECT database AS schema_name, table AS table_name, name AS column_name, type AS data_type,
        (type LIKE 'Nullable(%' OR type LIKE 'LowCardinality(Nullable(%') AS nullable,
        if(default_kind = 'DEFAULT', default_expression, '') AS default_text, comment AS comment_text,
        if(default_kind IN ('MATERIALIZED', 'ALIAS'), default_expression, '') AS generated
      FROM system.columns WHERE database = ${database} ORDER BY table, position`),
    rows(`
      SELECT database AS schema_name, table AS table_name, name AS column_name
      FROM system.columns WHERE database = ${database} AND is_in_primary_key ORDER BY table, position`),
    rows(`
      SELECT database AS schema_name, table AS table_name, name AS index_name, 0 AS is_unique, expr AS column_name
      FROM system.data_skipping_indices WHERE database = ${database} ORDER BY table, name`),
  ])
  return toCatalogueRows({
    tables: tables.map((row) => ({ ...row, kind: kindOf(String(row['kind'])) })),
    columns,
    primaryKeys,
    indexes,
  })
}

/** Table engines that read from elsewhere have no rows. */
function kindOf(engine: string): string {
  if (engine === 'MaterializedView') return 'materialized view'
  if (engine.endsWith('View')) return 'view'
  return /^(MySQL|PostgreSQL|MongoDB|S3|URL|HDFS|Kafka|ODBC|JDBC|SQLite|File|Iceberg|DeltaLake|Hudi|Redis|RabbitMQ)/.test(
    engine,
  )
    ? 'external'
    : 'table'
}

interface Sdk {
  createClient(options: Record<string, unknown>): Client
}
interface Client {
  query(options: Record<string, unknown>): Promise<{ stream(): AsyncIterable<readonly Line[]>; close(): void }>
  command(options: Record<string, unknown>): Promise<unknown>
  close(): Promise<void>
}
interface Line {
  json(): readonly unknown[]
}

const FORMAT = 'JSONCompactEachRowWithNamesAndTypes'

/**
 * `readonly = 2`: no writes, and it cannot be unset; other settings can be changed, so the parser rejects a SETTINGS
 * clause. A user whose profile is read-only may change no setting, or only some: only those are sent.
 */
async function openClickhouseDriver({ url, database, user, password }: ClickhouseConnection): Promise<Driver> {
  const { createClient } = await loadDriver<Sdk>('@clickhouse/client', 'ClickHouse')
  const client = createClient({
    url,
    username: user,
    password,
    database,
    application: 'ken',
    log: { level: 127 },
    // A user who may not change settings receives 64-bit integers as numbers.
    json: { parse: parseExactly, stringify: JSON.stringify },
  })
  const ask = async (query: string, limits: QueryLimits, more: Record<string, unknown> = {}): Promise<QueryResult> => {
    const answer = await client.query({ query, format: FORMAT, ...more })
    const collector = collectRows(limits)
    const head: (readonly string[])[] = []
    const take = (row: readonly unknown[]): boolean => {
      if (head.length < 2) return head.push(row.map(String)) > 0
      return collector.add(row.map((value, i) => toCell(value, head[1]![i] ?? '')))
    }
    // Leaving the loop closes the request, so that a server without a limit sends no more.
    for await (const lines of answer.stream()) if (!lines.every((line) => take(line.json()))) break
    const [names = [], types = []] = head
    return collector.finish(names.map((name, i) => ({ name, type: types[i] ?? 'unknown' })))
  }
  const changeable = new Set((await ask(CHANGEABLE, PROBED)).rows.map(([name]) => name))
  return {
    async run(query, limits, canStop) {
      const aborting = new AbortController()
      const id = randomUUID()
      canStop(async () => {
        aborting.abort()
        // Otherwise closing the request stops the statement.
        if (!changeable.has(STOPS)) await client.command({ query: `KILL QUERY WHERE query_id = '${id}' ASYNC` })
      })
      const settings = Object.entries(settingsFor(limits)).filter(([name]) => changeable.has(name))
      return ask(query, limits, {
        query_id: id,
        abort_signal: aborting.signal,
        clickhouse_settings: Object.fromEntries(settings),
      })
    },
    close: () => client.close(),
  }
}

const STOPS = 'cancel_http_readonly_queries_on_client_close'
const PROBED = { rows: 100, bytes: 10_000, milliseconds: 30_000 }

const settingsFor = ({ rows, bytes, milliseconds }: QueryLimits): Record<string, string | number> => ({
  readonly: '2',
  [STOPS]: 1,
  max_execution_time: Math.ceil(milliseconds / 1000) + 1,
  max_result_rows: String(rows + 1),
  max_result_bytes: String(bytes * 2),
  result_overflow_mode: 'break',
  output_format_json_quote_64bit_integers: 1,
})

/** Names of the settings above that this user may change. */
const CHANGEABLE = `SELECT name FROM system.settings WHERE NOT readonly AND name IN (${Object.keys(settingsFor(PROBED))
  .map(escapedLiteral)
  .join(', ')})`

/** Wide integers arrive as text; as numbers only if the user may not change settings. */
const toCell = (value: unknown, type: string): Cell =>
  typeof value === 'string' && /^(?:Nullable\(|LowCardinality\()*(?:U?Int|Decimal)/.test(type)
    ? cellFromDecimal(value)
    : cellFromUnknown(value)
