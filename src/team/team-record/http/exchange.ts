import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { z } from 'zod'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { StopSignal } from '../../../kernel/domain/stop.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { fetchWithRetries } from '../../../kernel/system/http-retry.ts'
import { fetchInPlace, toAbortSignal } from '../../../kernel/system/model-http.ts'
import { MOST_BYTES, WIRE, WIRE_HEADER } from '../../domain/record-wire.ts'
import { LARGEST_FAULT, refusal, strange, unreachable } from './exchange-faults.ts'

/** The answer to a message, in the requested shape. Throws if the exchange fails. */
export type Exchange = <T extends z.ZodType>(message: Message, shape: T) => Promise<z.output<T>>

export interface Message {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Relative to the origin. */
  readonly path: string
  readonly body?: unknown
  /** Timeout of one try, in milliseconds. */
  readonly patience?: number
  readonly tries?: number
  readonly signal?: StopSignal
  /** For an endpoint that does not accept a compressed body. */
  readonly isPlain?: boolean
  /** Maximum size of an answer, in bytes. */
  readonly most?: number
}

export interface ExchangeOptions {
  /** An origin. */
  readonly url: string
  readonly token: string
  /** Milliseconds before the second try. */
  readonly firstPause?: number
}

const PATIENCE_MS = 60_000
const TRIES = 3
const LONGEST_PAUSE_MS = 8_000
const WORTH_PACKING = 400

/**
 * Sends messages to one server. Each may be sent again, because a push that was applied is recognised by its id. The
 * token is sent only to that origin.
 */
export function openExchange({ url, token, firstPause = 500 }: ExchangeOptions): Exchange {
  return async ({ method, path, body, patience = PATIENCE_MS, tries = TRIES, signal, isPlain, most }, shape) => {
    const packed = body === undefined ? undefined : await packedBody(body, isPlain)
    const stop = signal && toAbortSignal(signal)
    const send = (): Promise<Response> => {
      const late = AbortSignal.timeout(patience)
      return fetchInPlace(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, [WIRE_HEADER]: WIRE, ...packed?.headers },
        ...(packed && { body: packed.bytes }),
        signal: stop ? AbortSignal.any([stop, late]) : late,
      })
    }
    try {
      const answer = await fetchWithRetries(send, {
        tries,
        firstPause,
        longestPause: LONGEST_PAUSE_MS,
        whenLonger: 'wait less',
        withoutAnswer: true,
        ...(stop && { signal: stop }),
      })
      const text = await readBounded(answer, url, most)
      if (!answer.ok) throw refusal(url, answer.status, text)
      return shaped(url, text, shape)
    } catch (error) {
      if (error instanceof AppError) throw error
      if (stop?.aborted) throw new AppError('stopped', 'Stopped before the server answered.')
      throw unreachable(url, error)
    }
  }
}

async function packedBody(
  body: unknown,
  isPlain = false,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  if (isPlain || text.length < WORTH_PACKING) return { bytes: new TextEncoder().encode(text), headers }
  return { bytes: new Uint8Array(await promisify(gzip)(text)), headers: { ...headers, 'content-encoding': 'gzip' } }
}

/** `fetch` has decompressed it already, so the limit applies to the decompressed size. */
async function readBounded(answer: Response, url: string, largest = MOST_BYTES): Promise<string> {
  const most = answer.ok ? largest : LARGEST_FAULT
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > most) throw strange(url, 'is larger than any it should give')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function shaped<T extends z.ZodType>(url: string, text: string, shape: T): z.output<T> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw strange(url, 'is not JSON')
  }
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const place = visibleLine(parsed.error.issues[0]?.path.join('.') ?? '').slice(0, 100)
  throw strange(url, `cannot be right${place && ` (${place})`}`)
}
