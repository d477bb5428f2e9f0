import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StoredComment {
  readonly id: number
  readonly user: { readonly login: string; readonly type: string }
  body: string
}

export interface CommentsServer {
  readonly url: string
  readonly comments: StoredComment[]
  /** Request lines (`GET …`, `POST …`, `PATCH …`), each with the caller's token. */
  readonly asked: { readonly line: string; readonly token: string }[]
  /** A fork's token can read but not write. */
  isFork: boolean
  /** Status of every answer, if set. */
  status: number | undefined
  close(): Promise<void>
}

const REPOSITORY = '/repos/acme/shop'

/**
 * The comments of one pull request, as in https://docs.github.com/en/rest/issues/comments: lists in pages with a Link
 * header, and a job token that may not request its identity.
 */
export async function openCommentsServer(): Promise<CommentsServer> {
  let next = 1000
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url!, 'http://localhost')
    const answer = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      response.end(JSON.stringify(value))
    }
    server.asked.push({
      line: `${request.method} ${url.pathname}${url.search}`,
      token: request.headers.authorization ?? '',
    })
    const refused = { message: 'Resource not accessible by integration', status: '403' }
    if (server.status !== undefined) return answer(server.status, { message: 'no' })
    if (url.pathname === '/user') return answer(403, refused)
    const isWrite = request.method !== 'GET'
    if (isWrite && server.isFork) return answer(403, refused)
    const body =
      request.method === 'POST' || request.method === 'PATCH'
        ? (JSON.parse(Buffer.concat(chunks).toString()) as { body: string }).body
        : undefined
    if (body !== undefined && (body === '' || body.length > 65_536))
      return answer(422, { message: 'Validation Failed' })
    if (url.pathname === `${REPOSITORY}/issues/7/comments`) {
      if (request.method === 'POST') {
        const made = { id: next++, user: { login: 'github-actions[bot]', type: 'Bot' }, body: body! }
        server.comments.push(made)
        return answer(201, made)
      }
      const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30))
      const page = Number(url.searchParams.get('page') ?? 1)
      const shown = server.comments.slice((page - 1) * size, page * size)
      const hasNext = server.comments.length > page * size
      const link = `<http://${request.headers.host}${url.pathname}?per_page=${size}&page=${page + 1}>; rel="next"`
      return answer(200, shown, hasNext ? { link } : {})
    }
    const id = Number(new RegExp(`^${REPOSITORY}/issues/comments/(\\d+)$`).exec(url.pathname)?.[1])
    const found = server.comments.find((one) => one.id === id)
    if (found !== undefined && request.method === 'DELETE') {
      server.comments.splice(server.comments.indexOf(found), 1)
      response.writeHead(204).end()
      return
    }
    if (request.method !== 'PATCH' || found === undefined) return answer(404, { message: 'Not Found' })
    found.body = body!
    return answer(200, found)
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const server: CommentsServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    comments: [],
    asked: [],
    isFork: false,
    status: undefined,
    close: () =>
      new Promise((done) => {
        http.closeAllConnections()
        http.close(() => done())
      }),
  }
  return server
}
