import { serve } from '@hono/node-server'
import { AppError } from '../../core/errors.ts'

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/**
 * How long a request may take to arrive, in milliseconds; its answer may take longer. Who trickles a byte at a time is
 * cut off.
 */
export interface Patience {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
}

const PATIENCE: Patience = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 }
// Every reader of a chat holds one for as long as it listens; an idle one costs some tens of KB. What bodies may take
// together is bounded where they are read (`body-budget.ts`).
const MOST_CONNECTIONS = 1_000

/** On the loopback address only. */
export function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
  patience?: Patience,
): Promise<Listening> {
  return new Promise((listening, failed) => {
    const server = serve(
      { fetch, hostname: '127.0.0.1', port, serverOptions: { ...PATIENCE, ...patience } },
      ({ port: taken }) =>
        listening({
          url: `http://127.0.0.1:${taken}`,
          close: () =>
            new Promise((closed) => {
              server.close(() => closed())
              if ('closeAllConnections' in server) server.closeAllConnections()
            }),
        }),
    )
    if ('maxConnections' in server) server.maxConnections = MOST_CONNECTIONS
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
