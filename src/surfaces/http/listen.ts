import type { Server, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { AppError } from '../../kernel/domain/errors.ts'
import { afterBody } from './after-body.ts'

export interface Listening {
  readonly url: string
  /** Cuts off whoever is still there. */
  close(): Promise<void>
  /**
   * Goes without losing a request. Until `unused` everything is served as before, and each answer ends its connection:
   * whoever shares out the requests needs a moment to learn that they go elsewhere. Then nothing new is taken, and what
   * has come is answered; what is not done after `patience` milliseconds is cut off.
   */
  drain(until: { readonly unused: Promise<unknown>; readonly patience: number }): Promise<void>
}

/**
 * How long a request may take to arrive, in milliseconds; its answer may take longer. Who trickles a byte at a time is
 * cut off.
 */
export interface Patience {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  /** How long a connection waits for its next request. */
  readonly keepAliveTimeout: number
}

const PATIENCE: Patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  // Longer than a proxy keeps one for its next request (Caddy two minutes, nginx one): what it sends while its server
  // ends the connection is lost.
  keepAliveTimeout: 130_000,
}
// Every reader of a chat holds one for as long as it listens, some 25 KB; one that waits costs 13 KB. What bodies may
// take together is bounded where they are read (`body-budget.ts`).
const MOST_CONNECTIONS = 4_000
const IDLE_MS = 50

export interface ListenOptions extends Partial<Patience> {
  /** The loopback address where none is named. */
  readonly hostname?: string
  /** How many there may be at a time; one more is not taken. */
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
    // Those that wait for a next request make room for whoever comes then.
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
      // One that was answered before it could be told to go is idle now.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS)
      await closed()
      clearInterval(idle)
      late.abort()
    },
  }
}
