import { cellFromDecimal, cellFromUnknown, collectRows, type Cell, type QueryLimits } from '../../domain/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { ClickhouseConnection } from './index.ts'

interface Sdk {
  createClient(options: Record<string, unknown>): Client
}
interface Client {
  query(options: Record<string, unknown>): Promise<{ json(): Promise<Page> }>
  close(): Promise<void>
}
interface Page {
  readonly meta?: readonly { readonly name: string; readonly type: string }[]
  readonly data: readonly (readonly unknown[])[]
}

/**
 * `readonly = 2`: no writes, and it cannot be unset; other settings can be changed, so the parser rejects a SETTINGS
 * clause.
 */
export async function openClickhouseDriver({ url, database, user, password }: ClickhouseConnection): Promise<Driver> {
  const { createClient } = await loadDriver<Sdk>('@clickhouse/client', 'ClickHouse')
  const client = createClient({ url, username: user, password, database, application: 'ken', log: { level: 127 } })
  await (await client.query({ query: 'SELECT 1', format: 'JSONCompact' })).json()
  return {
    async run(query, limits, canStop) {
      const aborting = new AbortController()
      canStop(async () => aborting.abort())
      const answer = await client.query({
        query,
        format: 'JSONCompact',
        abort_signal: aborting.signal,
        clickhouse_settings: settingsFor(limits),
      })
      const { meta = [], data } = await answer.json()
      const collector = collectRows(limits)
      for (const row of data) if (!collector.add(row.map((value, i) => toCell(value, meta[i]?.type ?? '')))) break
      return collector.finish(meta.map(({ name, type }) => ({ name, type })))
    },
    close: () => client.close(),
  }
}

const settingsFor = ({ rows, bytes, milliseconds }: QueryLimits): Record<string, string | number> => ({
  readonly: '2',
  // Closing the request stops a statement; without this the server would continue.
  cancel_http_readonly_queries_on_client_close: 1,
  max_execution_time: Math.ceil(milliseconds / 1000) + 1,
  max_result_rows: String(rows + 1),
  max_result_bytes: String(bytes * 2),
  result_overflow_mode: 'break',
  output_format_json_quote_64bit_integers: 1,
})

/** Wide integers arrive as text, because JSON readers round them. */
const toCell = (value: unknown, type: string): Cell =>
  typeof value === 'string' && /^(?:Nullable\(|LowCardinality\()*(?:U?Int|Decimal)/.test(type)
    ? cellFromDecimal(value)
    : cellFromUnknown(value)
