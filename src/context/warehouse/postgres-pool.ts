import { once } from 'node:events'
import { Socket } from 'node:net'
import { userInfo } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Client, ClientConfig, Connection, PoolClient, PoolConfig } from 'pg'

export type PostgresDriver = typeof import('pg')

export interface PostgresPool {
  connect(): Promise<PoolClient>
  /** Rows of a statement that needs no transaction. */
  rows<Row extends object>(text: string): Promise<readonly Row[]>
  /** Requests cancellation of the statement of a connection. Resolves when the server has forwarded the request. */
  cancel(client: PoolClient): Promise<void>
  /** Rolls back a connection and returns it to the pool. Need not be awaited. */
  giveBack(client: PoolClient): void
  close(): Promise<void>
}

const CONNECT_MS = 15_000
const CLOSE_MS = 5_000
const KEEP_ALIVE_MS = 60_000
const LIFETIME_SECONDS = 45 * 60

/** Connections to any server with PostgreSQL's protocol. A lost connection is discarded, and replaced when needed. */
export function openPostgresPool(pg: PostgresDriver, config: PoolConfig): PostgresPool {
  if (config.user === undefined) pg.defaults.user ??= userInfo().username
  const pool = new pg.Pool({
    ...config,
    Client: clientOf(pg),
    application_name: 'ken',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
  }).on('error', () => undefined)
  const connected = new Set<PoolClient>()
  pool.on('connect', (client) => connected.add(client)).on('remove', (client) => connected.delete(client))
  return {
    connect: () => pool.connect(),
    rows: async <Row extends object>(text: string) => (await pool.query<Row & Record<string, unknown>>(text)).rows,
    cancel: (client) => cancel(pg, client),
    giveBack: (client) =>
      void client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      ),
    async close() {
      const isLate = await Promise.race([pool.end().then(() => false), setTimeout(CLOSE_MS, true, { ref: false })])
      // Does not wait for a statement that never ends.
      if (isLate) for (const client of connected) client.connection.stream.destroy()
    },
  }
}

function clientOf({ Client }: PostgresDriver): typeof Client {
  return class extends Client {
    constructor(config: ClientConfig) {
      // Not set on the pool, which would also limit the wait for a free connection.
      super({ ...config, connectionTimeoutMillis: CONNECT_MS })
      // Always attached: an error on an idle lost connection would end the process.
      this.on('error', () => undefined)
      // Without a password the driver reads ~/.pgpass.
      this.password ??= ''
    }
  } as typeof Client
}

/** Members of the driver that are missing from its types. */
interface Wire extends Connection {
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

/** The driver's own method does not use TLS. */
async function cancel(pg: PostgresDriver, client: Client): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as Client & { processID: number; secretKey: number }
  const socket = new Socket()
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('the server does not answer')))
  const wire = new pg.Connection({ ssl, stream: () => socket }) as Wire
  const ask = (): void => wire.cancel(processID, secretKey)
  wire.on('error', () => undefined)
  wire.once('connect', () => (ssl ? wire.requestSsl() : ask()))
  wire.once('sslconnect', ask)
  const passedOn = once(wire, 'end')
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
  else wire.connect(port, host)
  await passedOn
}
