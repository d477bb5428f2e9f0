import { cookiesOf } from './enter-page.ts'
import type { Asker } from './operation-routes.ts'
import { isProof } from './owner-proof.ts'
import type { PageSessions } from './page-sessions.ts'
import { denied } from './refusals.ts'

interface Doors {
  readonly programs?: { accepts(token: string): boolean }
  readonly pages?: { readonly sessions: PageSessions }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Refuses another host name, or another site's page, before anything else. */
export function refuseHost(request: Request): Response | undefined {
  const host = hostname(`http://${request.headers.get('host') ?? ''}`)
  const origin = request.headers.get('origin')
  if (!LOOPBACK.has(host)) return denied(403, 'The Host header names another machine.')
  if (origin !== null && !LOOPBACK.has(hostname(origin))) return denied(403, 'The Origin header names another site.')
  return undefined
}

/** A token belongs to a program; a session is valid only for its page, in exactly its origin. */
export function callerOf(request: Request, { programs, pages }: Doors): Asker['surface'] | Response {
  const token = bearerOf(request)
  if (programs && token !== undefined && programs.accepts(token)) return 'http'
  if (!pages) return denied(401, 'A bearer token is needed; `ken serve --http` says where it is.')
  const [origin, site] = [request.headers.get('origin'), request.headers.get('sec-fetch-site')]
  if (origin !== null && origin !== new URL(request.url).origin)
    return denied(403, 'The Origin header names another site.')
  if (site !== null && site !== 'same-origin') return denied(403, 'The request comes from another site.')
  return ownCookie(request, pages.sessions) === undefined
    ? denied(401, 'This page has no session.', 'Run `ken app` to open one.')
    : 'app'
}

/** The session cookie that belongs to the key; undefined if there is none. */
export const ownCookie = (request: Request, sessions: PageSessions): string | undefined =>
  cookiesOf(request).find((cookie) => sessions.holds(cookie, request.headers.get('x-ken-key')))

/** A nonce of another process of the same user, if it proves to be one. */
export function nonceOfOwner(request: Request, secret: string): string | undefined {
  const nonce = request.headers.get('x-ken-nonce') ?? ''
  return nonce !== '' && isProof(bearerOf(request), { secret, side: 'asks', said: [nonce] }) ? nonce : undefined
}

const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]

function hostname(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}
