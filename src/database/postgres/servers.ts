import type { Socket } from 'node:net'
import type { Client, ClientConfig } from 'pg'
import { AppError } from '../../kernel/domain/errors.ts'
import { asNotConnected, isRefusedWrite } from './faults.ts'

type ClientClass = typeof Client

/** A dead machine does not respond at all; the next one is tried well before a call gives up. */
const CONNECT_MS = 3_000

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * Address of every server in DATABASE_URL, as libpq reads it: `postgres://ken@one:5432,two:5432/ken`. Ken writes, so
 * `target_session_attrs` can only name the one that accepts writes.
 */
export function addressesOf(url: string): readonly string[] {
  const [, before, hosts, after] = ADDRESS.exec(url) ?? []
  if (hosts === undefined) return [url]
  const [path, query = ''] = after!.split('?')
  const settings = new URLSearchParams(query)
  const wanted = settings.get('target_session_attrs') ?? 'read-write'
  if (wanted !== 'read-write' && wanted !== 'primary')
    throw new AppError('invalid_input', 'target_session_attrs of DATABASE_URL must be read-write.')
  settings.delete('target_session_attrs')
  const rest = settings.size === 0 ? path! : `${path}?${settings.toString()}`
  return hosts.split(',').map((host) => `${before}${host}${rest}`)
}

export interface Servers {
  readonly Client: ClientClass
  /**
   * Drops every connection at once, as if the server had closed it: running transactions are lost, and retried
   * elsewhere.
   */
  leave(): void
}

/**
 * The driver's client, for several servers of which one accepts writes at a time. Keeps using the last server that did,
 * and tries the next if it cannot be reached or has become a standby: a standby's data may be old.
 */
export function openServers(driver: ClientClass, url: string): Servers {
  const addresses = addressesOf(url)
  const connected = new Set<Client>()
  let at = 0
  const leave = (): void => {
    for (const client of connected) streamOf(client).destroy()
  }
  const ClientOfServers = class extends driver {
    private readonly at: number
    constructor(config: ClientConfig) {
      const timeout = Math.min(config.connectionTimeoutMillis || CONNECT_MS, CONNECT_MS)
      super({ ...config, connectionString: addresses[at]!, connectionTimeoutMillis: timeout })
      this.at = at
      // The state of a connection is known at its next use. Always attached: an error on an idle connection, on its way
      // to a waiting caller or after it failed, would end the process.
      this.on('error', () => undefined)
    }
    override connect(): Promise<this>
    override connect(done: (error: Error) => void): void
    override connect(done?: (error: Error) => void): Promise<this> | void {
      const connected = this.reach()
      if (done === undefined) return connected
      connected.then(
        () => process.nextTick(done),
        (error: Error) => process.nextTick(done, error),
      )
    }
    private async reach(): Promise<this> {
      try {
        await super.connect()
        connected.add(this)
        this.once('end', () => connected.delete(this))
        const { rows } = await this.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
        if (rows[0]!.standby) throw Object.assign(new Error('a standby'), { code: READ_ONLY })
        return this
      } catch (error) {
        if (at === this.at) at = (at + 1) % addresses.length
        const ended = super.end().catch(() => undefined)
        // Awaited, so that repeated retries do not use up a standby's connections.
        if (isRefusedWrite(error)) await ended
        throw asNotConnected(error)
      }
    }
  } as ClientClass
  return { Client: ClientOfServers, leave }
}

// The driver's own pool also ends a slow connection through its stream.
const streamOf = (client: Client): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream

const READ_ONLY = '25006'
