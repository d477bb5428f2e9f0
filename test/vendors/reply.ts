import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Cell } from '../../src/context/domain/sql/query.ts'

export type ColumnType = 'bigint' | 'decimal' | 'double' | 'boolean' | 'text' | 'timestamp'

/** What an engine has to say to a statement. The vendor's server puts it into the vendor's words. */
export type Reply =
  | { readonly columns: readonly { readonly name: string; readonly type: ColumnType }[]; readonly rows: Rows }
  | { readonly error: string }
  /** It runs until it is stopped. */
  | 'runs on'

/** Decimals, timestamps and whole numbers beyond 53 bits are given as text. */
export type Rows = readonly (readonly Cell[])[]
export type Answer = (sql: string) => Reply

/**
 * A server on the loopback address that speaks as much of a vendor's protocol as the vendor's own client needs. It was
 * never compared with the real service.
 */
export interface VendorServer {
  /** The fields of a connection in ken.yaml that lead to it. */
  readonly connection: Record<string, unknown>
  /** The same with a password that it refuses. */
  readonly wrongConnection: Record<string, unknown>
  /** What was begun here, in order. */
  readonly begun: string[]
  /** What the client told it to stop. */
  readonly stopped: string[]
  close(): Promise<void>
}

/** Rows per answer, so that a result of some size comes in several. */
export const PAGE = 10

export const SECRET = 'hush-hush-1234'

export interface HttpServer {
  readonly port: number
  readonly url: string
  close(): Promise<void>
}

/** An HTTP server whose handler gets the whole body. */
export async function serveHttp(
  handle: (request: IncomingMessage, body: string, response: ServerResponse) => void | Promise<void>,
): Promise<HttpServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      await handle(request, Buffer.concat(chunks).toString(), response)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'bigint' ? `\u0000${value}` : value,
  ).replaceAll(/"\\u0000(-?\d+)"/g, '$1')
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}
