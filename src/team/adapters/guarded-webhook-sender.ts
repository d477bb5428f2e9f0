import { createHmac } from 'node:crypto'
import { lookup as resolveName } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AppError } from '../../kernel/domain/errors.ts'
import { stopped } from '../../kernel/domain/stop.ts'
import { guardedFetch, PrivateAddressError } from '../../kernel/system/guarded-fetch.ts'
import { networkCause } from '../../kernel/system/network-cause.ts'
import { isPrivateAddress } from '../../kernel/system/private-address.ts'
import type { WebhookMessage, WebhookSender } from '../ports/webhooks.ts'

export interface WebhookSenderOptions {
  /** Hosts, optionally with a port, that may be in a private network and need no TLS. */
  readonly hosts?: readonly string[]
  /** Timeout in milliseconds for one delivery. */
  readonly patience?: number
  /** Resolves a name to addresses; defaults to the system's resolver. */
  resolve?(name: string): Promise<readonly string[]>
}

const PATIENCE_MS = 10_000
// Only the status is read.
const MOST_BYTES = 64 * 1024

/** Sends over https, signed with HMAC-SHA256. A receiver gets one request for each try, whatever it answers. */
export function openWebhookSender({
  hosts = [],
  patience = PATIENCE_MS,
  resolve = async (name) => (await resolveName(name, { all: true })).map(({ address }) => address),
}: WebhookSenderOptions = {}): WebhookSender {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()))
  const isNamed = ({ host, hostname }: URL): boolean => allowed.has(host) || allowed.has(hostname)
  return {
    async assertAllowed(address) {
      const url = readAddress(address)
      if (isNamed(url)) return
      assertSecure(url)
      const name = url.hostname.replaceAll(/[[\]]/g, '')
      const found = isIP(name) === 0 ? await resolve(name).catch(() => []) : [name]
      // A name without an address yet is judged when it is used.
      if (/(?:^|\.)localhost\.?$/i.test(name) || found.some(isPrivateAddress)) throw notPublic()
    },
    async send(address, message, signal) {
      const url = readAddress(address)
      const isPrivate = isNamed(url)
      if (!isPrivate) assertSecure(url)
      const late = AbortSignal.timeout(patience)
      const own = new AbortController()
      const stop = (): void => own.abort()
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
      try {
        const { status } = await guardedFetch({ origin: url.origin, isPrivate, most: MOST_BYTES })(url, {
          method: 'POST',
          body: message.body,
          headers: headersOf(message),
          signal: AbortSignal.any([late, own.signal]),
        })
        if (status < 200 || status > 299) throw answered(status)
      } catch (thrown) {
        if (thrown instanceof AppError) throw thrown
        if (signal?.aborted) throw stopped()
        if (late.aborted) throw failed(`It did not answer within ${patience / 1_000} s`)
        throw thrown instanceof PrivateAddressError ? notPublic() : unreachable(networkCause(thrown))
      } finally {
        signal?.removeEventListener('abort', stop)
        // Closes the connection, so that the rest of the answer is not sent.
        own.abort()
      }
    },
  }
}

function readAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password + url.hash !== '')
    throw new AppError('invalid_input', 'Not an address that a webhook can have.', {
      hint: 'Use one that starts with https://, without a user name and without #.',
    })
  return url
}

function assertSecure({ protocol }: URL): void {
  if (protocol !== 'https:')
    throw new AppError('invalid_input', 'A webhook must use https.', {
      hint: 'Only hosts that the operator lists in KEN_WEBHOOK_HOSTS may use http.',
    })
}

function headersOf({ id, body, secret, at }: WebhookMessage): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'ken',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  }
}

const answered = (status: number): AppError =>
  status >= 300 && status < 400
    ? failed(`It answered ${status}, a redirect, which is not followed`)
    : failed(`It answered ${status}`)

/** Same error for an unknown name and a private one: callers must not learn which names the internal network has. */
const notPublic = (): AppError =>
  new AppError('forbidden', 'The host of the webhook is unknown or not on the public network.', {
    hint: 'Check its address. A private host must be listed in KEN_WEBHOOK_HOSTS on the server.',
  })

const UNKNOWN = new Set(['ENOTFOUND', 'EAI_AGAIN'])

const unreachable = (cause: string): AppError => (UNKNOWN.has(cause) ? notPublic() : failed(`No connection: ${cause}`))

const failed = (why: string): AppError => new AppError('unavailable', `${why}.`, { hint: 'It is tried again later.' })
