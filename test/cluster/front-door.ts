import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/**
 * A small proxy in front of the replicas. It polls `/ready`, drops a replica that does not answer, and retries a
 * request on another one only if it certainly reached none.
 */
export interface FrontDoor {
  readonly url: string
  /** Sets the addresses of the replicas. */
  serve(urls: readonly string[]): void
  close(): Promise<void>
}

/** Marks a request that reached no replica. */
export const NOT_SENT = 'x-front-door-not-sent'

interface Backend {
  readonly url: URL
  isReady: boolean
}

const LOOK_EVERY_MS = 250
const PATIENCE_MS = 2_000

export async function openFrontDoor(): Promise<FrontDoor> {
  let backends: readonly Backend[] = []
  let turn = 0
  let isClosed = false
  const agent = new Agent({ keepAlive: true, maxSockets: 400 })
  const choose = (tried: ReadonlySet<Backend>): Backend | undefined => {
    const left = backends.filter((backend) => !tried.has(backend))
    // If none is ready, one may still answer: while the database is unavailable all of them wait.
    const ready = left.filter(({ isReady }) => isReady)
    const among = ready.length > 0 ? ready : left
    return among[turn++ % Math.max(1, among.length)]
  }
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing, { choose, agent }))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const look = async (backend: Backend): Promise<void> => {
    while (!isClosed && backends.includes(backend)) {
      backend.isReady = await fetch(new URL('/ready', backend.url), { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
        async (response) => {
          await response.arrayBuffer()
          return response.ok
        },
        () => false,
      )
      await setTimeout(LOOK_EVERY_MS)
    }
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(urls) {
      const known = new Map(backends.map((backend) => [backend.url.origin, backend]))
      backends = urls.map((url) => known.get(new URL(url).origin) ?? { url: new URL(url), isReady: false })
      for (const backend of backends) if (!known.has(backend.url.origin)) void look(backend)
    },
    async close() {
      isClosed = true
      const closed = new Promise<void>((done) => void server.close(() => done()))
      server.closeAllConnections()
      agent.destroy()
      await closed
    },
  }
}

interface Way {
  choose(tried: ReadonlySet<Backend>): Backend | undefined
  readonly agent: Agent
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, { choose, agent }: Way): Promise<void> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
  } catch {
    return
  }
  const body = Buffer.concat(chunks)
  const tried = new Set<Backend>()
  for (let backend = choose(tried); backend !== undefined; backend = choose(tried)) {
    tried.add(backend)
    const sent = await sendOn(backend, agent, { incoming, outgoing, body })
    if (sent === 'answered') return
    backend.isReady = false
    if (sent === 'unknown') {
      if (!outgoing.headersSent) outgoing.writeHead(502).end()
      else outgoing.destroy()
      return
    }
  }
  outgoing.writeHead(503, { [NOT_SENT]: '1' }).end()
}

function sendOn(
  { url }: Backend,
  agent: Agent,
  { incoming, outgoing, body }: { incoming: IncomingMessage; outgoing: ServerResponse; body: Buffer },
): Promise<'answered' | 'not sent' | 'unknown'> {
  return new Promise((done) => {
    let isConnected = false
    const { method, url: path, headers } = incoming
    const { connection: _connection, 'transfer-encoding': _encoding, ...rest } = headers
    const asked = request(
      {
        host: url.hostname,
        port: url.port,
        agent,
        method: method!,
        path: path!,
        headers: { ...rest, 'content-length': body.length },
      },
      (answer) => {
        const { connection: _own, 'keep-alive': _kept, ...passed } = answer.headers
        outgoing.writeHead(answer.statusCode!, passed)
        answer.on('error', () => done('unknown')).on('end', () => done('answered'))
        answer.pipe(outgoing)
      },
    )
    asked.on('socket', (socket) => {
      if (!socket.connecting) isConnected = true
      else socket.once('connect', () => (isConnected = true))
    })
    asked.on('error', () => done(isConnected ? 'unknown' : 'not sent'))
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) asked.destroy()
    })
    asked.end(body)
  })
}
