import { SECRET, sendJson, serveHttp, type Answer, type ColumnType, type VendorServer } from './reply.ts'

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
 * it. https://clickhouse.com/docs/interfaces/http
 */
export async function serveClickhouse(answer: Answer): Promise<VendorServer> {
  const begun: string[] = []
  const stopped: string[] = []
  const login = `Basic ${Buffer.from(`reader:${SECRET}`).toString('base64')}`
  const server = await serveHttp((request, body, response) => {
    const settings = new URL(request.url!, 'http://c').searchParams
    const refuse = (status: number, code: number, message: string): void =>
      void response
        .writeHead(status, { 'x-clickhouse-exception-code': String(code) })
        .end(`Code: ${code}. DB::Exception: ${message} (version 25.8.1.1)`)
    if (request.headers.authorization !== login)
      return refuse(403, 516, 'reader: Authentication failed: password is incorrect')
    const sql = body.replace(/\s*FORMAT JSONCompact\s*$/, '')
    if (sql === body) return refuse(400, 73, 'the format was not asked for')
    begun.push(sql)
    if (sql !== 'SELECT 1' && settings.get('readonly') !== '2') return refuse(500, 164, 'the session may write')
    const reply = answer(sql)
    if (reply === 'runs on') {
      const wasTold = settings.get('cancel_http_readonly_queries_on_client_close') === '1'
      response.on('close', () => void (wasTold && stopped.push(sql)))
      return
    }
    if ('error' in reply) return refuse(404, 47, reply.error)
    // result_overflow_mode = break: the server stops after the block in which the limit was reached.
    const most = Number(settings.get('max_result_rows') ?? Infinity)
    sendJson(response, 200, {
      meta: reply.columns.map(({ name, type }) => ({ name, type: TYPES[type] })),
      data: reply.rows.slice(0, most).map((row) => row.map((cell) => (typeof cell === 'bigint' ? String(cell) : cell))),
      rows: Math.min(most, reply.rows.length),
    })
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
