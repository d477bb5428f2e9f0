import type { Clock } from '../kernel/ports/clock.ts'
import type { Caller } from './domain/may.ts'
import { SCOPES } from './domain/role.ts'
import { hashOfSecret, isTokenShaped } from './domain/token.ts'
import type { BrowserSessions } from './ports/sign-in.ts'
import type { Tokens } from './ports/tokens.ts'

/** A session unused for this long is over, and so is any session older than `SESSION_MS`. */
const IDLE_MS = 7 * 24 * 60 * 60_000
export const SESSION_MS = 30 * 24 * 60 * 60_000

const LONGEST_SECRET = 200

/** The holder of a token; undefined if it is invalid, whatever the reason. */
export async function callerOfToken(
  { tokens, clock }: { readonly tokens: Tokens; readonly clock: Clock },
  secret: string,
): Promise<Caller | undefined> {
  if (!isTokenShaped(secret)) return undefined
  const at = performance.now()
  const holder = await tokens.use(hashOfSecret(secret), clock.now().toISOString())
  if (holder === undefined) return undefined
  const { id, person, organisation, role, scopes, projects, kind, seen } = holder
  const through = kind === 'agent' ? 'agent' : 'token'
  return { held: id, person, organisation, role, through, scopes, projects, seen: { projects: seen, at } }
}

/** The holder of a session cookie; `session` is the session's id in the holder's list of sessions. */
export async function callerOfSession(
  { sessions, clock }: { readonly sessions: BrowserSessions; readonly clock: Clock },
  secret: string,
): Promise<(Caller & { readonly session: string }) | undefined> {
  if (secret === '' || secret.length > LONGEST_SECRET) return undefined
  const holder = await sessions.use(hashOfSecret(secret), livesAt(clock.now()))
  if (holder === undefined) return undefined
  const { id, person, organisation, role } = holder
  return { session: id, held: id, person, organisation, role, through: 'browser', scopes: SCOPES, projects: undefined }
}

/** Expiry limits at a given time, for the session ports. */
export const livesAt = (now: Date): { readonly now: string; readonly idleSince: string } => ({
  now: now.toISOString(),
  idleSince: new Date(now.getTime() - IDLE_MS).toISOString(),
})
