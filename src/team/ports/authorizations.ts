import type { Grant, IssuedTokens } from '../domain/oauth/grant.ts'
import type { Scope } from '../domain/oauth/scopes.ts'
import type { DeviceLogins } from './device-logins.ts'
import type { OAuthClients } from './oauth-clients.ts'

/** What is remembered of a code: its hash, and what whoever redeems it must show. */
export interface AuthorizationCode {
  readonly hash: string
  readonly challenge: string
  readonly redirectUri: string
  readonly expiresAt: Date
}

export interface Access {
  readonly grant: Grant
  /** Of this token; never more than those of the grant. */
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date
}

export interface Rotation {
  readonly hash: string
  readonly client: string
  /** Where fewer are wanted than were granted. */
  readonly scopes: readonly Scope[] | undefined
  readonly now: Date
}

/**
 * What people allowed clients, and the tokens that were given for it. Secrets come here as hashes alone. Every method is
 * one step: whatever runs beside it, in any process, comes before or after. Every back end passes
 * test/contract/authorizations.contract.ts.
 */
export interface Authorizations {
  /** Keeps a grant and the code for it. */
  offerCode(grant: Grant, code: AuthorizationCode): Promise<void>
  /**
   * Gives a code to the first who shows it in time. Who shows it again ends the grant with all its tokens, and like
   * everybody who shows an unknown one gets nothing.
   */
  takeCode(hash: string, now: Date): Promise<{ readonly grant: Grant; readonly code: AuthorizationCode } | undefined>
  /** False, and nothing is kept, when the grant has ended in between. */
  issue(grant: string, tokens: IssuedTokens, now: Date): Promise<boolean>
  /**
   * Trades a refresh token for the next ones. One that was traded before, or that another client shows, ends the grant
   * with all its tokens. `too wide` when more is asked than was granted; then the token stays good.
   */
  rotate(
    rotation: Rotation,
    next: Pick<IssuedTokens, 'refresh'> & { readonly access: Omit<IssuedTokens['access'], 'scopes'> },
  ): Promise<Access | 'too wide' | undefined>
  /** What an access token is good for, while it is. */
  find(hash: string, now: Date): Promise<Access | undefined>
  /** Ends the grant of a token, of either kind, that this client was given; or one of a person's own. Gives what ended. */
  revoke(
    what: { readonly token: string; readonly client: string } | { readonly grant: string; readonly person: string },
  ): Promise<readonly Grant[]>
  /** The grants of a person that still stand, the newest first. */
  list(person: string, now: Date): Promise<readonly Grant[]>
  /** Forgets what is over. A used code is kept for a day, so that it is known when it is shown again. */
  sweep(now: Date): Promise<void>
}

/** The three of one back end, which know each other's grants. */
export interface AuthorizationStore {
  readonly authorizations: Authorizations
  readonly clients: OAuthClients
  readonly devices: DeviceLogins
}
