import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { networkCause } from '../../kernel/system/network-cause.ts'
import { COMMAND_LINE, DEVICE_GRANT } from '../domain/oauth/oauth-client.ts'
import type { LoginServer, NewTokens } from '../ports/login-server.ts'

const PATIENCE_MS = 20_000
const MOST_BYTES = 64 * 1024
const LONGEST_SECRET = 4_000
const DAY = 24 * 60 * 60

const secret = z.string().regex(new RegExp(String.raw`^[\x21-\x7e]{1,${LONGEST_SECRET}}$`))
const CODES = z.object({
  device_code: secret,
  user_code: z.string().regex(/^[\w-]{1,40}$/),
  verification_uri: z.string().max(500),
  expires_in: z.number().min(1).max(DAY),
  interval: z.number().min(1).max(60).default(5),
})
const TOKENS = z.object({
  access_token: secret,
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z
    .number()
    .min(1)
    .max(366 * DAY)
    .default(60),
  refresh_token: secret.optional(),
})
const FAULT = z.object({ error: z.string().max(100) })

const POLLED = {
  authorization_pending: 'pending',
  slow_down: 'slow down',
  expired_token: 'expired',
  access_denied: 'denied',
} as const

/** A Ken team server at its origin. Requests are sent only there: a redirect would pass the token on. */
export function openLoginServer(origin: string): LoginServer {
  const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Answered> =>
    send(origin, path, { body: new URLSearchParams({ client_id: COMMAND_LINE.id, ...fields }) })
  const resource = `${origin}/mcp`
  return {
    async begin() {
      const codes = understood(origin, CODES, await post('/oauth/device', { resource }))
      // A page of another origin could ask the person for the code.
      if (new URL(codes.verification_uri, origin).origin !== origin) throw strange(origin)
      return {
        device: codes.device_code,
        user: codes.user_code,
        address: new URL(codes.verification_uri, origin).href,
        lives: codes.expires_in,
        interval: codes.interval,
      }
    },
    async poll(device) {
      const answered = await post('/oauth/token', { grant_type: DEVICE_GRANT, device_code: device, resource })
      const fault = faultOf(answered)
      if (fault === undefined) return tokensIn(origin, answered)
      if (Object.hasOwn(POLLED, fault)) return POLLED[fault as keyof typeof POLLED]
      if (fault === 'invalid_grant') return 'expired'
      throw strange(origin, answered.status)
    },
    async refresh(token) {
      const answered = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, resource })
      const fault = faultOf(answered)
      if (fault === undefined) return tokensIn(origin, answered)
      if (fault === 'invalid_grant') return undefined
      throw strange(origin, answered.status)
    },
    async revoke(token) {
      const { status } = await post('/oauth/revoke', { token })
      if (status !== 200) throw strange(origin, status)
    },
    async accepts(token) {
      // Every authenticated caller may read this, regardless of the token's scope.
      const answer = await reach(origin, '/openapi.json', { headers: { authorization: `Bearer ${token}` } })
      await answer.body?.cancel()
      if (answer.status !== 200 && answer.status !== 401) throw strange(origin, answer.status)
      return answer.status === 200
    },
  }
}

interface Answered {
  readonly status: number
  readonly json: unknown
}

async function send(origin: string, path: string, init: RequestInit): Promise<Answered> {
  const answer = await reach(origin, path, { ...init, method: 'POST' })
  return { status: answer.status, json: jsonOf(await textOf(origin, answer)) }
}

async function reach(origin: string, path: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const answer = await fetch(`${origin}${path}`, { ...init, redirect: 'manual', signal }).catch((error: unknown) => {
    throw new AppError('unavailable', `${origin} cannot be reached: ${networkCause(error)}.`, {
      hint: 'Check the address and the network.',
    })
  })
  if (answer.status < 300 || answer.status >= 400) return answer
  await answer.body?.cancel()
  throw new AppError('unavailable', `${origin} redirects to another address, which sign-in does not follow.`, {
    hint: 'Use the server’s own address.',
  })
}

async function textOf(origin: string, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length
      if (size > MOST_BYTES) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new AppError('unavailable', `The connection to ${origin} was interrupted: ${networkCause(error)}.`, {
      hint: 'Try again.',
    })
  }
  if (size > MOST_BYTES) throw strange(origin)
  return Buffer.concat(chunks).toString('utf8')
}

function tokensIn(origin: string, answered: Answered): NewTokens {
  const { access_token, expires_in, refresh_token } = understood(origin, TOKENS, answered)
  return { access: access_token, lives: expires_in, refresh: refresh_token }
}

function understood<T>(origin: string, schema: z.ZodType<T>, { status, json }: Answered): T {
  const read = schema.safeParse(json)
  if (status !== 200 || !read.success) throw strange(origin, status)
  return read.data
}

const faultOf = ({ status, json }: Answered): string | undefined =>
  status === 200 ? undefined : (FAULT.safeParse(json).data?.error ?? 'none')

/** Omits the cause: it would contain the server's response, and with it a token. */
const strange = (origin: string, status?: number): AppError =>
  new AppError(
    'unavailable',
    status === undefined || status === 200
      ? `${origin} is not a Ken team server.`
      : `${origin} is not a Ken team server: its sign-in page returned ${status}.`,
    { hint: status === 429 ? 'Wait ten minutes.' : 'Check the address.' },
  )

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
