import { AppError } from '../kernel/domain/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { serverOrigin } from './domain/server-address.ts'
import { bearerIn, isSpent, type GivenTokens } from './domain/server-login.ts'
import type { CredentialStore } from './ports/credential-store.ts'
import type { LoginServer, NewTokens } from './ports/login-server.ts'
import type { ServerLogins } from './ports/server-logins.ts'

export interface LoginDesk {
  readonly shelf: CredentialStore
  readonly clock: Clock
  serverAt(origin: string): LoginServer
}

/** Supplies stored tokens, and renews expired ones: once, regardless of the number of waiting callers. */
export function keepLogins(desk: LoginDesk): ServerLogins {
  const { shelf, clock } = desk
  const now = () => clock.now()
  return {
    async tokenFor(server) {
      const origin = serverOrigin(server)
      const kept = await shelf.get(origin)
      if (kept === undefined || !isSpent(kept, now())) return kept && bearerIn(kept)
      return shelf.alone(origin, async () => {
        // A previous caller may have renewed the login; reusing the old refresh token would end it.
        const current = await shelf.get(origin)
        if (current?.kind !== 'given' || !isSpent(current, now())) return current && bearerIn(current)
        const renewed = await renew(current, desk.serverAt(origin))
        if (renewed === undefined) {
          await shelf.remove(origin)
          throw ended(origin)
        }
        await shelf.put(origin, givenNow(renewed, { now: now(), since: current.since }))
        return renewed.access
      })
    },
  }
}

export const givenNow = (
  { access, lives, refresh }: NewTokens,
  { now, since }: { readonly now: Date; readonly since: string },
): GivenTokens => ({
  kind: 'given',
  access,
  accessUntil: new Date(now.getTime() + lives * 1_000).toISOString(),
  refresh,
  since,
})

/** A server that rotates returns a new refresh token; otherwise the old one stays in use. */
async function renew({ refresh }: GivenTokens, server: LoginServer): Promise<NewTokens | undefined> {
  const given = refresh === undefined ? undefined : await server.refresh(refresh)
  return given && { ...given, refresh: given.refresh ?? refresh }
}

const ended = (origin: string): AppError =>
  new AppError('forbidden', `The login at ${origin} has expired.`, { hint: `Run \`ken auth login ${origin}\`.` })
