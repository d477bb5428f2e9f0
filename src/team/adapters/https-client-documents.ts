import { lookup as resolveName, type LookupAddress } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { AppError } from '../../kernel/domain/errors.ts'
import { isPrivateAddress } from '../../kernel/system/private-address.ts'
import type { ClientDocuments } from '../ports/client-documents.ts'

export interface DocumentOptions {
  /** Resolves a name to addresses; defaults to the system resolver. */
  resolve?(name: string, tell: (error: Error | null, found: readonly LookupAddress[]) => void): void
  /** Whether an address may be contacted; defaults to public addresses only. */
  isAllowed?(address: string): boolean
  /** Certificates of a company's private authority, in PEM. */
  readonly authorities?: readonly string[]
  /** Timeout in milliseconds for the whole download. */
  readonly patience?: number
}

const PATIENCE_MS = 5_000
const MOST_BYTES = 16 * 1024
const MOST_AT_ONCE = 8

/**
 * Downloads client documents over TLS, one request each. Addresses are checked when the connection is made, so the
 * owner of a name cannot change it in between; a redirect, an error or anything but JSON is not a document.
 */
export function openClientDocuments({
  resolve = (name, tell) => resolveName(name, { all: true }, tell),
  isAllowed = (address) => !isPrivateAddress(address),
  authorities,
  patience = PATIENCE_MS,
}: DocumentOptions = {}): ClientDocuments {
  let underWay = 0
  const lookup: LookupFunction = (name, options, tell) =>
    resolve(name, (error, found) => {
      if (error !== null) return tell(error, [])
      if (found.length === 0 || !found.every(({ address }) => isAllowed(address)))
        return tell(new Error('an address that is not public'), [])
      return options.all === true ? tell(null, [...found]) : tell(null, found[0]!.address, found[0]!.family)
    })
  return {
    async fetch(address) {
      const place = new URL(address)
      // A numeric address is not resolved, so nothing would check it.
      if (place.protocol !== 'https:' || isIP(place.hostname.replaceAll(/[[\]]/g, '')) !== 0) throw noDocument()
      if (underWay >= MOST_AT_ONCE) throw noDocument()
      underWay += 1
      const signal = AbortSignal.timeout(patience)
      try {
        const answer = await ask(place, { lookup, signal, ...(authorities && { ca: [...authorities] }) })
        try {
          return { text: await textOf(answer), cacheControl: answer.headers['cache-control'] }
        } finally {
          answer.destroy()
        }
      } catch {
        // The cause would reveal networks that the caller has no access to.
        throw noDocument()
      } finally {
        underWay -= 1
      }
    },
  }
}

const ask = (
  place: URL,
  options: { readonly lookup: LookupFunction; readonly signal: AbortSignal; readonly ca?: string[] },
): Promise<IncomingMessage> =>
  new Promise((answered, failed) => {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'ken' }
    // A kept-alive connection would be reused without checking its address.
    const sent = request(place, { ...options, headers, agent: false, maxHeaderSize: 8 * 1024 }, answered)
    sent.on('error', failed)
    sent.end()
  })

async function textOf(answer: IncomingMessage): Promise<string> {
  if (answer.statusCode !== 200) throw new Error('not a document')
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(answer.headers['content-type'] ?? ''))
    throw new Error('not JSON')
  if (Number(answer.headers['content-length'] ?? 0) > MOST_BYTES) throw new Error('too large')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

const noDocument = (): AppError =>
  new AppError('unavailable', 'The client metadata document cannot be read.', {
    hint: 'Its address must answer with JSON over https from a public server, without a redirect.',
  })
