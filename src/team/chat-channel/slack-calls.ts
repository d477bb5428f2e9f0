import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../kernel/domain/errors.ts'
import { fetchInPlace } from '../../kernel/system/model-http.ts'
import { networkCause } from '../../kernel/system/network-cause.ts'

export type SlackArguments = Readonly<Record<string, string | number | boolean | object | undefined>>

export interface SlackCalls {
  /** Calls a method of the Web API. With `tries` of one, it may have been executed although it failed. */
  ask(method: string, given: SlackArguments, how?: { readonly tries?: number }): Promise<Readonly<Record<string, any>>>
  /** Sends bytes to an upload address from Slack. */
  send(address: string, bytes: Uint8Array): Promise<void>
}

export interface SlackCallsOptions {
  readonly token: string
  /** https://slack.com/api */
  readonly api: string
}

const PATIENCE_MS = 15_000
const [TRIES, FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [4, 500, 30_000]
const LARGEST_ANSWER = 4 * 1024 * 1024

/** Error codes for temporary trouble at Slack; all others refuse the call. */
const PASSING = new Set(['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])

/**
 * Sends forms, which every method accepts. After a 429 waits as long as requested and retries, since nothing was done.
 */
export function openSlackCalls({ token, api }: SlackCallsOptions): SlackCalls {
  const once = async (method: string, body: string): Promise<Response> => {
    try {
      return await fetchInPlace(`${api}/${method}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        },
        body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
    } catch (thrown) {
      throw away(method, (thrown as Error).name === 'TimeoutError' ? 'it does not answer' : networkCause(thrown))
    }
  }
  return {
    async ask(method, given, { tries = TRIES } = {}) {
      const body = formOf(given)
      for (let attempt = 1; ; attempt++) {
        const response = await once(method, body).catch((thrown: unknown) => {
          if (attempt >= tries) throw thrown
          return undefined
        })
        if (response?.status === 429) {
          const pause = Number(response.headers.get('retry-after') ?? 1) * 1_000
          await response.body?.cancel()
          if (!(pause <= LONGEST_PAUSE_MS) || attempt >= TRIES || tries === 0) throw tooMuch(method, pause)
          await wait(pause)
        } else if (response === undefined || response.status >= 500) {
          await response?.body?.cancel()
          if (attempt >= tries) throw away(method, `it answered ${response?.status}`)
          await wait(FIRST_PAUSE_MS * 3 ** (attempt - 1))
        } else return answerOf(method, await response.bytes())
      }
    },
    async send(address, bytes) {
      if (!isSlacks(address, api)) throw refused('files.getUploadURLExternal', 'an address that is not its own')
      const response = await fetchInPlace(address, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch((thrown: unknown) => {
        throw away('the upload', networkCause(thrown))
      })
      await response.body?.cancel()
      if (!response.ok) throw away('the upload', `it answered ${response.status}`)
    },
  }
}

function formOf(given: SlackArguments): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return form.toString()
}

function answerOf(method: string, bytes: Uint8Array): Readonly<Record<string, any>> {
  const answer = bytes.length > LARGEST_ANSWER ? undefined : parsed(bytes)
  if (answer === undefined) throw away(method, 'its answer cannot be read')
  if (answer['ok'] === true) return answer
  const error = /^[a-z_]{1,60}$/.exec(String(answer['error']))?.[0] ?? 'unknown'
  throw PASSING.has(error) ? away(method, error) : refused(method, error)
}

function parsed(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Uploads go only to Slack, whatever a response contains. */
function isSlacks(address: string, api: string): boolean {
  if (!URL.canParse(address)) return false
  const [to, own] = [new URL(address), new URL(api)]
  if (to.origin === own.origin) return true
  return to.protocol === 'https:' && own.hostname === 'slack.com' && to.hostname.endsWith('.slack.com')
}

// These errors never contain the token, a text or anything from Slack beyond its error code.
const away = (method: string, what: string): AppError =>
  new AppError('unavailable', `Slack rejected ${method}: ${what}.`, { hint: 'Retrying.' })

const tooMuch = (method: string, pause: number): AppError =>
  new AppError('unavailable', `Slack rate-limited ${method}.`, { details: { pause } })

const refused = (method: string, error: string): AppError =>
  new AppError('forbidden', `Slack refused ${method}: ${error}.`, {
    hint: 'See docs/guides/slack.md for the scopes and settings that the app needs.',
    details: { error },
  })
