import { IndexDamaged } from '../../../core/index-damaged.ts'
import type { IndexHealth } from '../../../ports/index-health.ts'
import type { IndexDatabase } from './database.ts'

export function healthOf(database: IndexDatabase): IndexHealth {
  return {
    async check() {
      if (database.head().unfinished === 1)
        throw new IndexDamaged('it was being made anew and is not complete', UNFINISHED)
    },
    async renew(damage) {
      if (damage.cause !== UNFINISHED) database.renew()
    },
    async finish() {
      database.change((head) => (head.unfinished = 0))
    },
  }
}

const UNFINISHED = Symbol('unfinished')
