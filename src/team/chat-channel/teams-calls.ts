import { AppError } from '../../kernel/domain/errors.ts'
import { fetchInPlace } from '../../kernel/system/model-http.ts'
import { networkCause } from '../../kernel/system/network-cause.ts'

export interface TeamsCallsOptions {
  readonly tenant: string
  readonly appId: string
  readonly password: string
  /** https://login.microsoftonline.com */
  readonly login: string
}

export type TeamsCall = (
  method: 'GET' | 'POST' | 'PUT',
  address: string,
  body?: object,
) => Promise<Readonly<Record<string, unknown>>>

const SCOPE = 'https://api.botframework.com/.default'
const PATIENCE_MS = 15_000
const LARGEST_ANSWER = 1024 * 1024
const EARLY_MS = 5 * 60_000

interface AppToken {
  readonly text: string
  readonly until: number
}

/** Calls the Bot Connector with a token of the app, which is renewed before it expires and when it is refused. */
export function openTeamsCalls({ tenant, appId, password, login }: TeamsCallsOptions): TeamsCall {
  let known: AppToken | undefined
  let pending: Promise<AppToken> | undefined
  const renew = async (): Promise<AppToken> => {
    const form = { grant_type: 'client_credentials', client_id: appId, client_secret: password, scope: SCOPE }
    const { status, json } = await send(`${login}/${tenant}/oauth2/v2.0/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    const { access_token: text, expires_in: seconds } = json
    if (status !== 200 || typeof text !== 'string') throw failed('the app’s sign-in', status)
    return { text, until: performance.now() + Math.max(0, Number(seconds) * 1_000 - EARLY_MS) }
  }
  const tokenNow = async (): Promise<string> => {
    if (known === undefined || performance.now() >= known.until)
      known = await (pending ??= renew().finally(() => (pending = undefined)))
    return known.text
  }
  return async (method, address, body) => {
    for (let attempt = 1; ; attempt++) {
      const { status, json } = await send(address, {
        method,
        headers: { authorization: `Bearer ${await tokenNow()}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (status >= 200 && status < 300) return json
      if (status !== 401 || attempt === 2)
        throw failed(`${method} ${new URL(address).pathname.split('/').at(-2)}`, status)
      known = undefined
    }
  }
}

async function send(
  address: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }> {
  try {
    const response = await fetchInPlace(address, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
    const bytes = await response.bytes()
    const isReadable = bytes.length > 0 && bytes.length <= LARGEST_ANSWER
    return { status: response.status, json: isReadable ? parsed(bytes) : {} }
  } catch (thrown) {
    const why = (thrown as Error).name === 'TimeoutError' ? 'it does not answer' : networkCause(thrown)
    throw new AppError('unavailable', `Microsoft Teams cannot be reached: ${why}.`, { hint: 'Retrying.' })
  }
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

// These errors never contain the token, a text or anything from Microsoft beyond its status.
const failed = (what: string, status: number): AppError =>
  status === 429 || status >= 500 || status === 408
    ? new AppError('unavailable', `Microsoft Teams rejected ${what}: ${status}.`, { hint: 'Retrying.' })
    : new AppError('forbidden', `Microsoft Teams refused ${what}: ${status}.`, {
        hint: 'See docs/guides/teams.md for the settings that the app needs.',
        details: { error: String(status) },
      })
