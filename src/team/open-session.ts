import { browserName } from '../kernel/domain/browser-name.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Random } from '../kernel/ports/random.ts'
import { SESSION_MS } from './authenticate.ts'
import type { BrowserSession } from './domain/browser-session.ts'
import { hashOfSecret } from './domain/token.ts'
import { opaqueSecret } from './opaque-secret.ts'
import type { BrowserSessions } from './ports/sign-in.ts'

export interface SessionParts {
  readonly sessions: BrowserSessions
  readonly clock: Clock
  readonly chance: Random
}

export interface OpenedSession {
  readonly session: BrowserSession
  /** For the cookie: shown once and not stored. Always new, to prevent session fixation. */
  readonly secret: string
}

/** Signs a browser in for an authenticated person. */
export async function openSession(
  { sessions, clock, chance }: SessionParts,
  { person, proof, userAgent }: Pick<BrowserSession, 'person' | 'proof'> & { readonly userAgent: string | null },
): Promise<OpenedSession> {
  const now = clock.now()
  const secret = opaqueSecret(chance)
  const session: BrowserSession = {
    id: clock.ulid(),
    person,
    browser: browserName(userAgent),
    proof,
    enteredAt: now.toISOString(),
    usedAt: now.toISOString(),
    endsAt: new Date(now.getTime() + SESSION_MS).toISOString(),
  }
  await sessions.open(session, hashOfSecret(secret))
  return { session, secret }
}
