import type { Token, TokenHolder } from '../domain/token.ts'

/**
 * People's tokens, of which only the hash of the secret is stored. Every back end passes
 * test/contract/tokens.contract.ts.
 */
export interface Tokens {
  /**
   * Throws `not_found` for a person who left and for a project that they may not see, `conflict` above the token limit
   * per person at `createdAt`.
   */
  add(token: Token, hash: string): Promise<void>
  /**
   * The token's holder; undefined if there is no such token, it is revoked or expired, or the person left, without
   * revealing which. Records the time of use, to the minute.
   */
  use(hash: string, now: string): Promise<TokenHolder | undefined>
  /** Includes revoked and expired tokens, newest first. */
  list(person: string): Promise<readonly Token[]>
  /** Takes effect immediately. Ignores tokens of other people. */
  revoke(person: string, ids: readonly string[], at: string): Promise<void>
}

/**
 * Maximum number of tokens per person at a time: enough for every machine and agent, too few to hide one among them.
 */
export const MOST_TOKENS = 100
