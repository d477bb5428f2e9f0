import { openLease } from '../../kernel/lease/sqlite/index.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { openLoginServer } from '../../team/adapters/http-login-server.ts'
import { keepLogins, type LoginDesk } from '../../team/keep-logins.ts'
import { openLoginShelf } from '../../team/login-shelf/index.ts'
import type { ServerLogins } from '../../team/ports/server-logins.ts'
import { loadKeychain } from '../load-keychain.ts'

/** What the user of this machine is to team servers, kept in a home of Ken's. */
export const openLogins = (home: string): ServerLogins => keepLogins(openLoginDesk(home))

export const openLoginDesk = (home: string): LoginDesk => ({
  clock: systemClock,
  serverAt: openLoginServer,
  shelf: openLoginShelf({ home, keychain: loadKeychain(home), openLease }),
})
