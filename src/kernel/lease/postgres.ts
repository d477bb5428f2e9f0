import type { HeldLease, SharedLeases } from '../ports/shared-lease.ts'
import type { SqlDatabase } from '../ports/sql-database.ts'

export interface LeaseOptions {
  /** Returns a new unique holder name for each lease taken. */
  newId(): string
  /** Lease duration in milliseconds. A disconnected holder blocks others for that long. */
  readonly term?: number
}

const TERM_MS = 15_000

/**
 * Leases as rows that expire by the database's clock, so the machines' clocks need not agree. Connection locks are not
 * used: a turn lasts minutes, and each would occupy a connection.
 */
export function openPostgresLeases(database: SqlDatabase, { newId, term = TERM_MS }: LeaseOptions): SharedLeases {
  const held = new Set<HeldLease>()
  const ask = (text: string, ...values: (string | number)[]): Promise<readonly object[]> =>
    database.transaction('server', (sql) => sql.query(text, values))
  return {
    async tryTake(name) {
      const [holder, asked] = [newId(), performance.now()]
      const taken = await ask(TAKE, name, holder, term)
      if (taken.length === 0) return undefined
      const lost = new AbortController()
      const timer = renewing({ asked, term, lost }, () => ask(RENEW, name, holder, term))
      const lease: HeldLease = {
        lost: lost.signal,
        async release() {
          clearInterval(timer)
          if (held.delete(lease)) await ask(GIVE_BACK, name, holder)
        },
      }
      held.add(lease)
      return lease
    },
    async close() {
      // If the database cannot be reached, the leases expire.
      await Promise.allSettled([...held].map((lease) => lease.release()))
    },
  }
}

const UNTIL = "clock_timestamp() + $3 * interval '1 millisecond'"

const TAKE = `INSERT INTO ken.leases AS lease (name, holder, until) VALUES ($1, $2, ${UNTIL})
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE lease.until < clock_timestamp() RETURNING 1`
const RENEW = `UPDATE ken.leases SET until = ${UNTIL}
  WHERE name = $1 AND holder = $2 AND until >= clock_timestamp() RETURNING 1`
const GIVE_BACK = 'DELETE FROM ken.leases WHERE name = $1 AND holder = $2'

interface Lent {
  /**
   * Time of the last granted request. The database starts counting later, so the lease lasts at least `term` from here.
   */
  asked: number
  readonly term: number
  readonly lost: AbortController
}

/** Renews three times per term, so that a single failure does no harm. */
function renewing(lent: Lent, renew: () => Promise<readonly object[]>): NodeJS.Timeout {
  const timer = setInterval(() => {
    const now = performance.now()
    renew().then(
      ({ length }) => {
        if (length === 0) lose()
        else lent.asked = Math.max(lent.asked, now)
      },
      () => {},
    )
    if (now - lent.asked >= lent.term) lose()
  }, lent.term / 3)
  const lose = (): void => {
    clearInterval(timer)
    lent.lost.abort()
  }
  return timer.unref()
}
