import type { ServerResponse } from 'node:http'
import { SECRET, serveHttp, type Answer, type ColumnType, type VendorServer } from './reply.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  bigint: 'Nullable(Int64)',
  decimal: 'Nullable(Decimal(10, 2))',
  double: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  text: 'Nullable(String)',
  timestamp: 'Nullable(DateTime64(3))',
}

/**
 * ClickHouse's HTTP interface: the statement is the body, the settings are in the URL, and closing the request cancels
 * it. With `locked`, the profile of the user is read-only, and every setting in a URL is refused.
 * https://clickhouse.com/docs/interfaces/http
 */
export async function serveClickhouse(answer: Answer, locked = false): Promise<VendorServer> {
  const begun: string[] = []
  const stopped: string[] = []
  const running = new Map<string, string>()
  const login = `Basic ${Buffer.from(`reader:${SECRET}`).toString('base64')}`
  const server = await serveHttp((request, body, response) => {
    const settings = new URL(request.url!, 'http://c').searchParams
    const refuse = (status: number, code: number, message: string): void =>
      void response
        .writeHead(status, { 'x-clickhouse-exception-code': String(code) })
        .end(`Code: ${code}. DB::Exception: ${message} (version 25.8.1.1)`)
    if (request.headers.authorization !== login)
      return refuse(403, 516, 'reader: Authentication failed: password is incorrect')
    const killed = /^KILL QUERY WHERE query_id = '([^']+)' ASYNC$/.exec(body)?.[1]
    if (killed !== undefined) {
      stopped.push(running.get(killed) ?? 'nothing')
      return void response.end()
    }
    const sql = body.replace(/\s*FORMAT JSONCompactEachRowWithNamesAndTypes\s*$/, '')
    if (sql === body) return refuse(400, 73, 'the format was not asked for')
    const set = [...settings.keys()].filter((name) => !PARAMETERS.has(name))
    if (locked && set.length > 0) return refuse(500, 164, `Cannot modify '${set[0]}' setting in readonly mode.`)
    const names = /^SELECT name FROM system\.settings WHERE NOT readonly AND name IN \((.*)\)$/.exec(sql)?.[1]
    if (names !== undefined) {
      const rows = locked ? [] : names.split(', ').map((name) => [name.slice(1, -1)])
      return sendLines(response, [['name'], ['String'], ...rows])
    }
    begun.push(sql)
    if (!locked && settings.get('readonly') !== '2') return refuse(500, 164, 'the session may write')
    const reply = answer(sql)
    if (reply === 'runs on') {
      running.set(settings.get('query_id')!, sql)
      const wasTold = settings.get('cancel_http_readonly_queries_on_client_close') === '1'
      response.on('close', () => void (wasTold && stopped.push(sql)))
      return
    }
    if ('error' in reply) return refuse(404, 47, reply.error)
    // result_overflow_mode = break: the server stops after the block in which the limit was reached.
    const most = Number(settings.get('max_result_rows') ?? Infinity)
    sendLines(response, [
      reply.columns.map(({ name }) => name),
      reply.columns.map(({ type }) => TYPES[type]),
      ...reply.rows.slice(0, most).map((row) => row.map((cell, i) => integer(cell, reply.columns[i]!.type, !locked))),
    ])
  })
  const connection = { url: server.url, database: 'shop', user: 'reader' }
  return {
    connection: { ...connection, password: SECRET },
    wrongConnection: { ...connection, password: 'another-secret' },
    begun,
    stopped,
    close: server.close,
  }
}

/** Parameters of a request that are not settings. */
const PARAMETERS = new Set(['query_id', 'database', 'query', 'default_format', 'role', 'session_id'])

/** A 64-bit integer is a text only if the client may set output_format_json_quote_64bit_integers. */
const integer = (cell: unknown, type: ColumnType, quoted: boolean): unknown =>
  type !== 'bigint' || cell === null ? cell : quoted ? String(cell) : BigInt(cell as string)

const sendLines = (response: ServerResponse, rows: readonly (readonly unknown[])[]): void =>
  void response
    .writeHead(200, { 'content-type': 'application/x-ndjson' })
    .end(
      rows
        .map((row) => `[${row.map((cell) => (typeof cell === 'bigint' ? cell : JSON.stringify(cell))).join(',')}]\n`)
        .join(''),
    )
