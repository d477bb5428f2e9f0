import { readFile } from 'node:fs/promises'
import { cellFromDecimal, cellFromUnknown, collectRows, type Cell } from '../../domain/sql/query.ts'
import { parseExactly } from '../exact-json.ts'
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

export async function openTrinoDriver(given: TrinoConnection): Promise<Driver> {
  const { host, port, ssl, catalog, schema } = given
  const { Trino, BasicAuth } = await loadDriver<Sdk>('trino-client', 'Trino')
  const client = Trino.create({
    server: `${ssl ? 'https' : 'http'}://${host}:${port}`,
    catalog,
    schema,
    source: 'ken',
    ...loginOf(given, BasicAuth),
    ...(ssl && { ssl: await certificatesOf(given) }),
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

/** The client knows names and passwords only; a token is a header, and replaces them. */
const loginOf = ({ user, password, token }: TrinoConnection, BasicAuth: Sdk['BasicAuth']): Record<string, unknown> =>
  token === undefined
    ? { auth: new BasicAuth(user, password) }
    : { extraHeaders: { Authorization: `Bearer ${token}`, 'X-Trino-User': user } }

async function certificatesOf(given: TrinoConnection): Promise<Record<string, Buffer | undefined>> {
  const read = (path: string | undefined): Promise<Buffer> | undefined =>
    path === undefined ? undefined : readFile(path)
  const [cert, key, ca] = await Promise.all([given.certificate_path, given.key_path, given.ca_path].map(read))
  return { ...(cert && { cert, key }), ...(ca && { ca }) }
}

/** Decimals arrive as text, so that no JSON reader rounds them. */
const toCell = (value: unknown, type: string): Cell =>
  typeof value === 'string' && type.startsWith('decimal') ? cellFromDecimal(value) : cellFromUnknown(value)

function readExactly(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return text
  }
}
