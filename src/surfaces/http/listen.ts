import type { Server, ServerResponse, IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { AppError } from '../../kernel/domain/errors.ts'

export interface Listening {
  readonly url: string
  /** Closes all remaining connections. */
  close(): Promise<void>
  /**
   * Shuts down without losing a request. Until `unused` everything is served as before, and each response closes its
   * connection: a load balancer needs a moment to send requests elsewhere. Then no new requests are accepted, and those
   * received are answered; requests not done after `patience` milliseconds are aborted.
   */
  drain(until: { readonly unused: Promise<unknown>; readonly patience: number }): Promise<void>
}

/**
 * Milliseconds within which a request must arrive; its response may take longer. A client that trickles bytes is
 * disconnected.
 */
export interface Patience {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  /** How long an idle connection is kept for its next request. */
  readonly keepAliveTimeout: number
}

const PATIENCE: Patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  // Longer than a proxy keeps a connection for its next request (Caddy two minutes, nginx one): a request sent while
  // the server closes the connection is lost.
  keepAliveTimeout: 130_000,
}
// Every reader of a chat keeps a connection open while it listens, about 25 KB; an idle one costs 13 KB. The total size
// of bodies is bounded where they are read (`body-budget.ts`).
const MOST_CONNECTIONS = 4_000
const IDLE_MS = 50

export interface ListenOptions extends Partial<Patience> {
  /** Defaults to the loopback address. */
  readonly hostname?: string
  /** Maximum number of simultaneous connections; further ones are not accepted. */
  readonly connections?: number
}

export function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
  { hostname = '127.0.0.1', connections = MOST_CONNECTIONS, ...patience }: ListenOptions = {},
): Promise<Listening> {
  return new Promise((listening, failed) => {
    const server = serve(
      { fetch: afterBody(fetch), hostname, port, serverOptions: { ...PATIENCE, ...patience } },
      ({ port: taken }) => listening({ url: `http://${hostname}:${taken}`, ...endsOf(server) }),
    ) as Server
    server.maxConnections = connections
    // Idle connections make room for new ones.
    server.on('drop', () => server.closeIdleConnections())
    server.on('error', (error: NodeJS.ErrnoException) =>
      failed(
        new AppError('unavailable', `Port ${port} cannot be used: ${error.code}.`, {
          hint: 'Choose another with --port, or 0 for any free one.',
          cause: error,
        }),
      ),
    )
  })
}

function endsOf(server: Server): Pick<Listening, 'close' | 'drain'> {
  const closed = (): Promise<void> => new Promise((done) => void server.close(() => done()))
  return {
    close() {
      const done = closed()
      server.closeAllConnections()
      return done
    },
    async drain({ unused, patience }) {
      server.prependListener('request', (_request, response: ServerResponse) => {
        response.setHeader('connection', 'close')
      })
      await unused
      const late = new AbortController()
      void setTimeout(patience, undefined, late).then(
        () => server.closeAllConnections(),
        () => undefined,
      )
      // A connection whose response was sent before it could be closed is idle now.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS)
      await closed()
      clearInterval(idle)
      late.abort()
    },
  }
}

type Answer = (request: Request, env?: unknown) => Response | Promise<Response>

// A refused request is mostly slightly too large or too early, and complete in a moment. Counted in steps: a process
// that was blocked for long has not processed data that arrived meanwhile.
const [STEPS, STEP_MS] = [20, 50]
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Responds to a request after its body has ended, even if not all of it was needed. The server closes connections with
 * a body in progress; a client that was answered earlier but has sent everything would use that connection for its next
 * request.
 */
export const afterBody =
  (answer: Answer): Answer =>
  async (request, env) => {
    const response = await answer(request, env)
    const { incoming } = (env ?? {}) as { readonly incoming?: IncomingMessage }
    if (incoming !== undefined && hasBody(incoming) && !incoming.readableEnded && !incoming.destroyed)
      await dropBody(incoming)
    return response
  }

const hasBody = ({ headers }: IncomingMessage): boolean => 'content-length' in headers || 'transfer-encoding' in headers

async function dropBody(incoming: IncomingMessage): Promise<void> {
  // The reader is done, but its web stream would pause the input until it is read further.
  incoming.removeAllListeners('data')
  if (Number(incoming.headers['content-length'] ?? 0) > MOST_BYTES) return
  const over = new AbortController()
  let bytes = 0
  const count = ({ length }: Buffer): void => {
    bytes += length
    if (bytes > MOST_BYTES) over.abort()
  }
  const end = (): void => over.abort()
  incoming.on('data', count).once('end', end).once('close', end).resume()
  for (let left = STEPS; left > 0 && !over.signal.aborted; left--)
    await setTimeout(STEP_MS, undefined, over).catch(() => undefined)
  incoming.off('data', count).off('end', end).off('close', end)
}
