import { lookup as resolveName } from 'node:dns'
import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { isPrivateAddress } from './private-address.ts'

export interface FetchRules {
  /** The only origin contacted. */
  readonly origin: string
  /** Whether it may be in a private network. */
  readonly isPrivate: boolean
  /** Maximum bytes of one response. */
  readonly most: number
}

/**
 * `fetch` for one server: it only contacts the origin that the user allowed, and follows no redirect elsewhere. A
 * host in a private network or on this machine is rejected when the connection is made, so that the owner of its name
 * cannot change it in between.
 */
export function guardedFetch({ origin, isPrivate, most }: FetchRules): typeof fetch {
  return async (input, init = {}) => {
    const given = new Request(input, init)
    const place = new URL(given.url)
    if (place.origin !== origin) throw new Error(`it redirects to ${place.origin}, which is not allowed`)
    const body = given.body === null ? undefined : Buffer.from(await given.arrayBuffer())
    const answer = await send(place, {
      method: given.method,
      headers: given.headers,
      body,
      isPrivate,
      signal: given.signal,
    })
    const status = answer.statusCode ?? 500
    if (status < 200 || status > 599) {
      answer.destroy()
      throw new Error(`it answered ${status}, which is no final status`)
    }
    const hasBody = given.method !== 'HEAD' && ![204, 205, 304].includes(status)
    if (!hasBody) answer.resume()
    const bytes = hasBody ? Readable.from(bounded(answer, most), { objectMode: false }) : undefined
    return new Response(bytes === undefined ? null : (Readable.toWeb(bytes) as ReadableStream<Uint8Array>), {
      status,
      headers: headersOf(answer),
    })
  }
}

/** A rejected host in a private network. */
export class PrivateAddressError extends Error {}

interface Sent {
  readonly method: string
  readonly headers: Headers
  readonly body: Buffer | undefined
  readonly isPrivate: boolean
  readonly signal: AbortSignal
}

function send(place: URL, { method, headers, body, isPrivate, signal }: Sent): Promise<IncomingMessage> {
  const request = place.protocol === 'https:' ? requestSecure : requestPlain
  const name = nameOf(place.hostname)
  return new Promise((answered, failed) => {
    // A numeric address is not resolved, so `lookup` would not check it.
    if (!isPrivate && isIP(name) !== 0 && isPrivateAddress(name))
      throw new PrivateAddressError(`${name} is an address of a private network`)
    const sent = request(
      place,
      {
        method,
        headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
        signal,
        // A reused connection would skip the address check.
        agent: false,
        ...(!isPrivate && { lookup: lookUpPublic }),
      },
      answered,
    )
    sent.on('error', failed)
    // Without a listener Node closes the connection of an upgrade, and neither an error nor a timeout follows.
    sent.on('upgrade', (answer, socket) => {
      socket.destroy()
      answered(answer)
    })
    sent.on('close', () => failed(new Error('it closed the connection without an answer')))
    sent.end(body)
  })
}

const lookUpPublic: LookupFunction = (name, options, tell) => {
  resolveName(name, { all: true }, (error, found) => {
    if (error !== null) return tell(error, [])
    const inside = found.find(({ address }) => isPrivateAddress(address))
    if (inside !== undefined)
      return tell(new PrivateAddressError(`${name} leads to ${inside.address}, an address of a private network`), [])
    return options.all === true ? tell(null, found) : tell(null, found[0]!.address, found[0]!.family)
  })
}

const nameOf = (host: string): string => host.replace(/^\[|\]$/g, '')

/** Whether the name itself shows that the host is private, so that a user who allowed the name allowed that too. */
export function showsPrivate(host: string): boolean {
  const name = nameOf(host)
  return isIP(name) !== 0 || /^localhost$|\.(?:localhost|local|internal|lan|home\.arpa)$/i.test(name)
}

function headersOf(answer: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  return headers
}

async function* bounded(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > most) throw new Error(`it answered more than ${Math.round(most / 1024 / 1024)} MB`)
    yield chunk
  }
}
