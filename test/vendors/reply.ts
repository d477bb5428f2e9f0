import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Cell } from '../../src/context/domain/sql/query.ts'

export type ColumnType = 'bigint' | 'decimal' | 'double' | 'boolean' | 'text' | 'timestamp'

/** An engine's reply to a statement. The vendor's server encodes it in the vendor's protocol. */
export type Reply =
  | { readonly columns: readonly { readonly name: string; readonly type: ColumnType }[]; readonly rows: Rows }
  | { readonly error: string }
  /** Runs until it is cancelled. */
  | 'runs on'

/** Decimals, timestamps and integers beyond 53 bits are strings. */
export type Rows = readonly (readonly Cell[])[]
export type Answer = (sql: string) => Reply

/**
 * A loopback server that implements as much of a vendor's protocol as the vendor's own client needs. It has never been
 * compared with the real service.
 */
export interface VendorServer {
  /** Connection fields in ken.yaml for this server. */
  readonly connection: Record<string, unknown>
  /** The same with a password that the server rejects. */
  readonly wrongConnection: Record<string, unknown>
  /** Started statements, in order. */
  readonly begun: string[]
  /** Statements that the client cancelled. */
  readonly stopped: string[]
  close(): Promise<void>
}

/** Rows per response; larger results take several responses. */
export const PAGE = 10

export const SECRET = 'hush-hush-1234'

export interface HttpServer {
  readonly port: number
  readonly url: string
  close(): Promise<void>
}

/** An HTTP server that passes the whole body to its handler. */
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
