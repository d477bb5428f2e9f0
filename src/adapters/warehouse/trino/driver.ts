import { cellFromUnknown, collectRows } from '../../../core/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { TrinoConnection } from './index.ts'

interface Sdk {
  Trino: { create(options: Record<string, unknown>): Client }
  BasicAuth: new (user: string, password?: string) => unknown
}
interface Client {
  query(query: { query: string; session: Record<string, string> }): Promise<AsyncIterable<Page>>
  cancel(id: string): Promise<unknown>
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
  return {
    async run(sql, limits, canStop) {
      const collector = collectRows(limits)
      let columns: Page['columns'] = []
      const pages = await client.query({
        query: sql,
        session: { query_max_run_time: `${Math.ceil(limits.milliseconds / 1000) + 1}s` },
      })
      for await (const page of pages) {
        if (page.error) throw new Error(page.error.message)
        canStop(async () => void (await client.cancel(page.id)))
        columns = page.columns ?? columns
        if ((page.data ?? []).every((row) => collector.add(row.map(cellFromUnknown)))) continue
        await client.cancel(page.id)
        break
      }
      return collector.finish(columns.map(({ name, type }) => ({ name, type })))
    },
    close: async () => undefined,
  }
}
