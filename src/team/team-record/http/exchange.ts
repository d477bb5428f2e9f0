import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { z } from 'zod'
import { AppError, ERROR_TABLE, type ErrorCode } from '../../../kernel/domain/errors.ts'
import type { StopSignal } from '../../../kernel/domain/stop.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { fetchWithRetries } from '../../../kernel/system/http-retry.ts'
import { fetchInPlace, toAbortSignal } from '../../../kernel/system/model-http.ts'
import { networkCause } from '../../../kernel/system/network-cause.ts'
import { MOST_BYTES, WIRE, WIRE_HEADER } from '../../domain/record-wire.ts'

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

const LARGEST_FAULT = 64 * 1024
const LONGEST_SAID = 200

/**
 * Why a server refused a request, on one line, with the next step. The server's message is untrusted: it is shortened,
 * and stripped of terminal control characters.
 */
function refusal(url: string, status: number, text: string): AppError {
  const host = hostOf(url)
  const known = KNOWN[status]
  if (known !== undefined)
    return new AppError(known.code, `${host} ${known.what}`, { hint: known.hint(url), details: { status } })
  const { code = status >= 500 || status === 429 ? 'unavailable' : 'forbidden', ...said } = saidIn(text)
  return new AppError(code, `${host}: ${said.message ?? `it answered ${status}`}`, {
    hint: said.hint ?? (code === 'forbidden' ? 'Ask an admin of the project.' : 'Try again later.'),
    details: { status },
  })
}

const KNOWN: Readonly<Record<number, { code: ErrorCode; what: string; hint(url: string): string }>> = {
  401: {
    code: 'forbidden',
    what: 'does not take this login: it ended, or was taken back.',
    hint: (url) => `Run \`ken auth login ${url}\`, then \`ken sync team\`; what was written meanwhile is kept here.`,
  },
  413: {
    code: 'invalid_input',
    what: 'does not take a push of this size.',
    hint: () => 'Move long texts out of the record.',
  },
  426: {
    code: 'unavailable',
    what: 'speaks another version of the protocol than this Ken.',
    hint: () => 'Bring Ken up to date: `npm install -g kenbase`.',
  },
}

const strange = (url: string, what: string): AppError =>
  new AppError('unavailable', `The answer of ${hostOf(url)} ${what}. Nothing was saved.`, {
    hint: 'Check the server address.',
  })

function unreachable(url: string, error: unknown): AppError {
  const isLate = (error as { name?: unknown } | null)?.name === 'TimeoutError'
  const why = isLate ? 'it did not answer in time' : networkCause(error)
  return new AppError('unavailable', `${hostOf(url)} cannot be reached (${why}).`, {
    hint: 'Local changes are kept and sent with the next sync.',
    details: { offline: true },
    cause: error,
  })
}

function saidIn(text: string): { code?: ErrorCode; message?: string; hint?: string } {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown; hint?: unknown } }
    const { code } = error ?? {}
    const [message, hint] = [lineOf(error?.message), lineOf(error?.hint)]
    return { ...(isCode(code) && { code }), ...(message && { message }), ...(hint && { hint }) }
  } catch {
    return {}
  }
}

const lineOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? visibleLine(value).slice(0, LONGEST_SAID) : undefined

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_TABLE, code)

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the server')
