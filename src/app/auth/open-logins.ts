import { openLease } from '../../kernel/lease/sqlite/index.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { openLoginServer } from '../../team/adapters/http-login-server.ts'
import { openCredentialStore } from '../../team/credential-store/index.ts'
import { keepLogins, type LoginDesk } from '../../team/keep-logins.ts'
import type { ServerLogins } from '../../team/ports/server-logins.ts'
import { loadKeychain } from '../load-keychain.ts'

/** The user's logins to team servers, stored in a Ken home. */
export const openLogins = (home: string): ServerLogins => keepLogins(openLoginDesk(home))

export const openLoginDesk = (home: string): LoginDesk => ({
  clock: systemClock,
  serverAt: openLoginServer,
  shelf: openCredentialStore({ home, keychain: loadKeychain(home), openLease }),
})
