import type { Allowance, Allowances } from '../../../kernel/domain/limits/allowance.ts'
import type { Caller } from '../../../team/domain/may.ts'
import { hashOfSecret } from '../../../team/domain/token.ts'

export interface TokenDoorOptions {
  readonly allowances: Allowances
  readonly limits: TeamLimits
}

export interface TeamLimits {
  readonly person: Allowance
  /** Of requests from one address that have not proved anything yet. */
  readonly nobody: Allowance
}

export interface Shown {
  /** A bearer token, or what stands in the cookie of a session. */
  readonly secret: string | undefined
  /** Whoever it stands for; undefined where it stands for nobody. */
  callerOf(secret: string): Promise<Caller | undefined>
  /** The address that the connection comes from. */
  readonly source: string
  /** Of the body, at most. */
  readonly bytes: number
}

/** Seconds to wait, or who it is; neither where it is nobody. */
export interface Entered {
  readonly wait: number
  readonly caller?: Caller | undefined
}

const LONGEST_SECRET = 500
const MOST_KNOWN = 50_000
// Reading four megabytes of JSON takes the time of some sixty small calls.
const BYTES_OF_A_CALL = 65_536

/**
 * Asks whose a token or a session is. A guess is counted before anything is looked up, so that guesses cannot keep the database busy;
 * a token that was good when it was shown last is not held up by what others guess. Each is looked up every time.
 */
export function openTokenDoor({ allowances, limits }: TokenDoorOptions): (shown: Shown) => Promise<Entered> {
  const lately = new Set<string>()
  return async ({ secret, callerOf, source, bytes }) => {
    const isSecret = secret !== undefined && secret.length <= LONGEST_SECRET
    const hash = isSecret ? hashOfSecret(secret) : ''
    const wait = lately.has(hash) ? 0 : allowances.take(`from ${source}`, limits.nobody)
    if (wait > 0) return { wait }
    const caller = isSecret ? await callerOf(secret) : undefined
    // Put at the end again: a set keeps the order in which its members came in.
    lately.delete(hash)
    if (caller === undefined) return { wait: 0 }
    lately.add(hash)
    if (lately.size > MOST_KNOWN) lately.delete(lately.values().next().value!)
    const count = 1 + Math.floor(bytes / BYTES_OF_A_CALL)
    return { wait: allowances.take(caller.person, limits.person, count), caller }
  }
}
