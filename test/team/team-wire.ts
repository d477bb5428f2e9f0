import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy between machines and a team server that records requests and can respond in the server's place. */
export interface TeamWire {
  readonly url: string
  /** `POST /v1/… body` of requests since the last call. */
  asked(): string[]
  /** Answers instead of the server; undefined forwards everything. */
  instead: ((answer: ServerResponse) => void) | undefined
  close(): Promise<void>
}

export async function openTeamWire(target: () => string): Promise<TeamWire> {
  let seen: string[] = []
  const server = createServer(async (asked, answer) => {
    const body = await bodyOf(asked)
    seen.push(`${asked.method} ${asked.url} ${body.toString('utf8')}`)
    if (wire.instead !== undefined) return wire.instead(answer)
    const { hostname, port, host } = new URL(target())
    const headers = { ...asked.headers, host }
    const onward = request({ hostname, port, path: asked.url, method: asked.method, headers }, (said) => {
      answer.writeHead(said.statusCode!, said.headers)
      said.pipe(answer)
    })
    onward.on('error', () => asked.socket.destroy())
    onward.end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const wire: TeamWire = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    instead: undefined,
    asked() {
      const told = seen
      seen = []
      return told
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return wire
}

async function bodyOf(asked: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of asked) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
