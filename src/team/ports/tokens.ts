import type { Token, TokenHolder } from '../domain/token.ts'

/**
 * Tokens of people, known by the hash of their secret alone. Every back end passes test/contract/tokens.contract.ts.
 */
export interface Tokens {
  /**
   * Throws `not_found` for somebody who left and for a project that they may not know of, `conflict` above the number
   * that one person may have at `createdAt`.
   */
  add(token: Token, hash: string): Promise<void>
  /**
   * Whose it is; undefined where there is none, it is revoked or has expired, or its person left: nothing tells which.
   * Notes that it was used, to the minute.
   */
  use(hash: string, now: string): Promise<TokenHolder | undefined>
  /** Also those that are over, the newest first. */
  list(person: string): Promise<readonly Token[]>
  /** From now on it opens nothing. One of somebody else is passed over. */
  revoke(person: string, ids: readonly string[], at: string): Promise<void>
}

/** Tokens that one person may have at a time: enough for every machine and agent, too few to hide one among. */
export const MOST_TOKENS = 100
