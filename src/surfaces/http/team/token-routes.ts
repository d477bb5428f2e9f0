import type { Allowance, Allowances } from '../../../kernel/domain/limits/allowance.ts'
import type { Caller } from '../../../team/domain/may.ts'
import { hashOfSecret } from '../../../team/domain/token.ts'

export interface TokenRoutesOptions {
  readonly allowances: Allowances
  readonly limits: TeamLimits
}

export interface TeamLimits {
  readonly person: Allowance
  /** Limit for unauthenticated requests from one address. */
  readonly nobody: Allowance
}

export interface Shown {
  /** A bearer token, or the value of a session cookie. */
  readonly secret: string | undefined
  /** The caller of a secret; undefined if it is invalid. */
  callerOf(secret: string): Promise<Caller | undefined>
  /** The address of the connection. */
  readonly source: string
  /** Maximum size of the body. */
  readonly bytes: number
}

/** Seconds to wait, or the caller; neither if authentication failed. */
export interface Entered {
  readonly wait: number
  readonly caller?: Caller | undefined
}

const LONGEST_SECRET = 500
const MOST_KNOWN = 50_000
// Parsing four megabytes of JSON takes the time of some sixty small calls.
const BYTES_OF_A_CALL = 65_536

/**
 * Authenticates a token or a session. A guess is counted before any lookup, so that guesses cannot keep the database
 * busy; a token that was valid at its last use is not delayed by others' guesses. Every secret is looked up on each
 * request.
 */
export function openTokenRoutes({ allowances, limits }: TokenRoutesOptions): (shown: Shown) => Promise<Entered> {
  const lately = new Set<string>()
  return async ({ secret, callerOf, source, bytes }) => {
    const isSecret = secret !== undefined && secret.length <= LONGEST_SECRET
    const hash = isSecret ? hashOfSecret(secret) : ''
    const wait = lately.has(hash) ? 0 : allowances.take(`from ${source}`, limits.nobody)
    if (wait > 0) return { wait }
    const caller = isSecret ? await callerOf(secret) : undefined
    // Moved to the end: a set keeps insertion order.
    lately.delete(hash)
    if (caller === undefined) return { wait: 0 }
    lately.add(hash)
    if (lately.size > MOST_KNOWN) lately.delete(lately.values().next().value!)
    const count = 1 + Math.floor(bytes / BYTES_OF_A_CALL)
    return { wait: allowances.take(caller.person, limits.person, count), caller }
  }
}
