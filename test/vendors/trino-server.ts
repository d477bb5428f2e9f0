import { PAGE, SECRET, sendJson, serveHttp, type Answer, type ColumnType, type VendorServer } from './reply.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  bigint: 'bigint',
  decimal: 'decimal(10,2)',
  double: 'double',
  boolean: 'boolean',
  text: 'varchar',
  timestamp: 'timestamp(3)',
}

/**
 * Trino's client protocol: a statement is posted, its results are fetched from one nextUri after the other, and a
 * DELETE cancels it. https://trino.io/docs/current/develop/client-protocol.html
 */
export async function serveTrino(answer: Answer): Promise<VendorServer> {
  const begun: string[] = []
  const stopped: string[] = []
  const queries: { sql: string; isStopped: boolean }[] = []
  const login = `Basic ${Buffer.from(`reader:${SECRET}`).toString('base64')}`
  const server = await serveHttp((request, body, response) => {
    if (request.headers.authorization !== login) {
      response.writeHead(401).end('Authentication failed: invalid credentials')
      return
    }
    const [, , place = '', id = '', page = '0'] = request.url!.split('/')
    if (request.method === 'POST' && place === 'statement') {
      begun.push(body)
      queries.push({ sql: body, isStopped: false })
      const next = queries.length - 1
      const stats = { state: 'QUEUED' }
      sendJson(response, 200, { id: `q${next}`, nextUri: `${server.url}/v1/results/q${next}/0`, stats })
      return
    }
    const query = queries[Number(id.slice(1))]!
    if (request.method === 'DELETE') {
      query.isStopped = true
      stopped.push(query.sql)
      response.writeHead(204).end()
      return
    }
    sendJson(response, 200, pageOf(query, { id, page: Number(page), url: server.url, answer }))
  })
  const connection = { host: '127.0.0.1', port: server.port, catalog: 'hive', schema: 'shop', user: 'reader' }
  return {
    connection: { ...connection, password: SECRET },
    wrongConnection: { ...connection, password: 'another-secret' },
    begun,
    stopped,
    close: server.close,
  }
}

function pageOf(
  { sql, isStopped }: { sql: string; isStopped: boolean },
  { id, page, url, answer }: { id: string; page: number; url: string; answer: Answer },
): unknown {
  const next = `${url}/v1/results/${id}`
  const failed = (message: string, errorName: string): unknown => ({
    id,
    error: { message, errorCode: 1, errorName, errorType: 'USER_ERROR' },
    stats: { state: 'FAILED' },
  })
  if (isStopped) return failed('Query was canceled', 'USER_CANCELED')
  const reply = answer(sql)
  if (reply === 'runs on') return { id, nextUri: `${next}/${page}`, stats: { state: 'RUNNING' } }
  if ('error' in reply) return failed(reply.error, 'COLUMN_NOT_FOUND')
  const isLast = (page + 1) * PAGE >= reply.rows.length
  return {
    id,
    columns: reply.columns.map(({ name, type }) => ({ name, type: TYPES[type] })),
    data: reply.rows
      .slice(page * PAGE, (page + 1) * PAGE)
      .map((row) => row.map((cell, i) => (reply.columns[i]!.type === 'bigint' && cell !== null ? BigInt(cell) : cell))),
    ...(isLast ? {} : { nextUri: `${next}/${page + 1}` }),
    stats: { state: isLast ? 'FINISHED' : 'RUNNING' },
  }
}
