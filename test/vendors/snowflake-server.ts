import { PAGE, SECRET, sendJson, serveHttp, type Answer, type ColumnType, type VendorServer } from './reply.ts'

const TYPES: Readonly<Record<ColumnType, { type: string; scale?: number }>> = {
  bigint: { type: 'fixed', scale: 0 },
  decimal: { type: 'fixed', scale: 2 },
  double: { type: 'real' },
  boolean: { type: 'boolean' },
  text: { type: 'text' },
  timestamp: { type: 'timestamp_ntz', scale: 9 },
}

export interface SnowflakeServer extends VendorServer {
  readonly url: string
}

/**
 * The protocol of Snowflake's drivers: a session is opened with a password, a statement is posted with its own id,
 * polled while it runs, aborted by that id, and results longer than one response are in separate chunks.
 */
export async function serveSnowflake(answer: Answer): Promise<SnowflakeServer> {
  const begun: string[] = []
  const stopped: string[] = []
  const running = new Map<string, { sql: string; isStopped: boolean }>()
  const server = await serveHttp(async (request, body, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://s')
    const say = (data: unknown): void => sendJson(response, 200, { data, code: null, message: null, success: true })
    const refuse = (code: string, message: string): void =>
      sendJson(response, 200, { data: { sqlState: '42000' }, code, message, success: false })
    const input = body.startsWith('{') ? (JSON.parse(body) as Input) : undefined
    if (pathname === '/session/v1/login-request')
      return input?.data?.PASSWORD === SECRET
        ? say({
            token: 'session-token',
            masterToken: 'master-token',
            sessionId: 1,
            parameters: [],
            validityInSeconds: 3600,
          })
        : refuse('390100', 'Incorrect username or password was specified.')
    if (pathname.startsWith('/chunks/')) {
      const [sql, from] = JSON.parse(decodeURIComponent(pathname.slice(8))) as [string, number]
      const rows = rowsOf(answer(sql)).slice(from, from + PAGE)
      response.writeHead(200).end(JSON.stringify(rows).slice(1, -1))
      return
    }
    if (request.headers.authorization !== 'Snowflake Token="session-token"')
      return refuse('390104', 'Authentication token is missing.')
    if (pathname === '/queries/v1/query-request') {
      begun.push(input!.sqlText!)
      running.set(searchParams.get('requestId')!, { sql: input!.sqlText!, isStopped: false })
      return respond(searchParams.get('requestId')!)
    }
    if (pathname.endsWith('/abort-request')) {
      const found = running.get(input?.requestId ?? '') ?? running.get(pathname.split('/')[2]!)
      if (found) {
        found.isStopped = true
        stopped.push(found.sql)
      }
      return say(null)
    }
    if (pathname.endsWith('/result')) return respond(pathname.split('/')[2]!)
    return say(null)

    async function respond(id: string): Promise<void> {
      const { sql, isStopped } = running.get(id)!
      const reply = answer(sql)
      if (isStopped) return refuse('000604', 'SQL execution canceled')
      if (reply === 'runs on') {
        await new Promise((later) => setTimeout(later, 50))
        const data = { queryId: id, getResultUrl: `/queries/${id}/result` }
        return sendJson(response, 200, { data, code: '333333', message: 'Query execution in progress', success: true })
      }
      if ('error' in reply) return refuse('000904', `SQL compilation error: ${reply.error}`)
      const rows = rowsOf(reply)
      const chunks = Array.from({ length: Math.max(0, Math.ceil(rows.length / PAGE) - 1) }, (_, i) => ({
        url: `${server.url}/chunks/${encodeURIComponent(JSON.stringify([sql, (i + 1) * PAGE]))}`,
        rowCount: Math.min(PAGE, rows.length - (i + 1) * PAGE),
        uncompressedSize: 100,
        compressedSize: 100,
      }))
      say({
        queryId: id,
        parameters: [],
        rowtype: reply.columns.map(({ name, type }) => ({ name, nullable: true, precision: 38, ...TYPES[type] })),
        rowset: rows.slice(0, PAGE),
        total: rows.length,
        returned: rows.length,
        queryResultFormat: 'json',
        statementTypeId: 4096,
        ...(chunks.length > 0 ? { chunks } : {}),
      })
    }
  })
  const connection = { account: 'acme-eu', user: 'reader', database: 'SHOP' }
  return {
    url: server.url,
    connection: { ...connection, password: SECRET },
    wrongConnection: { ...connection, password: 'another-secret' },
    begun,
    stopped,
    close: server.close,
  }
}

interface Input {
  readonly data?: { readonly PASSWORD?: string }
  readonly sqlText?: string
  readonly requestId?: string
}

/** Every value is text; a timestamp is seconds with nine decimals, and true is 1. */
function rowsOf(reply: ReturnType<Answer>): readonly (readonly (string | null)[])[] {
  if (reply === 'runs on' || 'error' in reply) return []
  return reply.rows.map((row) =>
    row.map((cell, i) => {
      if (cell === null) return null
      if (reply.columns[i]!.type === 'timestamp') return `${(Date.parse(`${cell}Z`) / 1000).toFixed(3)}000000`
      return typeof cell === 'boolean' ? String(Number(cell)) : String(cell)
    }),
  )
}
