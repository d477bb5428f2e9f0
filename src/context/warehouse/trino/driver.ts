import { cellFromDecimal, cellFromUnknown, collectRows, type Cell } from '../../domain/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { TrinoConnection } from './index.ts'

interface Sdk {
  Trino: { create(options: Record<string, unknown>): Client }
  BasicAuth: new (user: string, password?: string) => unknown
}
interface Client {
  query(query: { query: string; session: Record<string, string> }): Promise<Pages>
  cancel(id: string): Promise<unknown>
  readonly client?: { readonly clientConfig?: { transformResponse?: unknown } }
}
interface Pages extends AsyncIterable<Page> {
  /** The server's response to the statement itself, before the first page. */
  readonly iter?: { readonly queryResult?: Page }
}
interface Page {
  readonly id: string
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly message: string }
}

export async function openTrinoDriver({
  host,
  port,
  ssl,
  catalog,
  schema,
  user,
  password,
}: TrinoConnection): Promise<Driver> {
  const { Trino, BasicAuth } = await loadDriver<Sdk>('trino-client', 'Trino')
  const client = Trino.create({
    server: `${ssl ? 'https' : 'http'}://${host}:${port}`,
    catalog,
    schema,
    source: 'ken',
    auth: new BasicAuth(user, password),
  })
  if (client.client?.clientConfig) client.client.clientConfig.transformResponse = readExactly
  return {
    async run(sql, limits, canStop) {
      const collector = collectRows(limits)
      let columns: Page['columns'] = []
      const pages = await client.query({
        query: sql,
        session: { query_max_run_time: `${Math.ceil(limits.milliseconds / 1000) + 1}s` },
      })
      // The client skips pages without rows, so a running statement would go unnoticed.
      const started = pages.iter?.queryResult?.id
      if (started !== undefined) canStop(async () => void (await client.cancel(started)))
      for await (const page of pages) {
        if (page.error) throw new Error(page.error.message)
        columns = page.columns ?? columns
        const types = columns.map(({ type }) => type)
        if ((page.data ?? []).every((row) => collector.add(row.map((value, i) => toCell(value, types[i]!))))) continue
        await client.cancel(page.id)
        break
      }
      return collector.finish(columns.map(({ name, type }) => ({ name, type })))
    },
    close: async () => undefined,
  }
}

/** Decimals arrive as text, so that no JSON reader rounds them. */
const toCell = (value: unknown, type: string): Cell =>
  typeof value === 'string' && type.startsWith('decimal') ? cellFromDecimal(value) : cellFromUnknown(value)

/** Parses JSON with 64-bit integers, which JavaScript's parser would round. */
function readExactly(text: string): unknown {
  const exact = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '') ? BigInt(source!) : value
  try {
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown)
  } catch {
    return text
  }
}
