import { systemClock } from '../../adapters/clock/system/index.ts'
import { openLease } from '../../adapters/lease/sqlite/index.ts'
import { openLoginServer } from '../../adapters/login-server/http/index.ts'
import { openLoginShelf } from '../../adapters/login-shelf/system/index.ts'
import type { ServerLogins } from '../../ports/server-logins.ts'
import { keepLogins, type LoginDesk } from '../../team/keep-logins.ts'
import { loadKeychain } from '../load-keychain.ts'

/** What the user of this machine is to team servers, kept in a home of Ken's. */
export const openLogins = (home: string): ServerLogins => keepLogins(openLoginDesk(home))

export const openLoginDesk = (home: string): LoginDesk => ({
  clock: systemClock,
  serverAt: openLoginServer,
  shelf: openLoginShelf({ home, keychain: loadKeychain(home), openLease }),
})
