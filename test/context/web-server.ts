import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebServer {
  readonly url: string
  readonly requests: string[]
  close(): Promise<void>
}

type Reply = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown } | undefined

/** A server on the loopback address; returns 404 if the reply is undefined. */
export async function serveWeb(
  reply: (request: {
    method: string
    path: string
    query: URLSearchParams
    headers: IncomingMessage['headers']
    body: any
  }) => Reply | Promise<Reply>,
): Promise<WebServer> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, searchParams } = new URL(request.url!, 'http://local')
    requests.push(`${request.method} ${pathname}`)
    const text = Buffer.concat(chunks).toString()
    const answer = await reply({
      method: request.method!,
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    })
    response.writeHead(answer === undefined ? 404 : (answer.status ?? 200), {
      'content-type': typeof answer?.body === 'string' ? 'text/html' : 'application/json',
      ...answer?.headers,
    })
    response.end(
      answer === undefined ? '' : typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body),
    )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
