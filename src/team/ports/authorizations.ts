import type { Scope, Grant, IssuedTokens } from '../domain/oauth/scopes.ts'
import type { DeviceLogins } from './device-logins.ts'
import type { OAuthClients } from './oauth-clients.ts'

/** The stored data of a code: its hash, and the values needed to redeem it. */
export interface AuthorizationCode {
  readonly hash: string
  readonly challenge: string
  readonly redirectUri: string
  readonly expiresAt: Date
}

export interface Access {
  readonly grant: Grant
  /** Scopes of this token; never more than the scopes of the grant. */
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date
}

export interface Rotation {
  readonly hash: string
  readonly client: string
  /** Requested scopes, if fewer than were granted. */
  readonly scopes: readonly Scope[] | undefined
  readonly now: Date
}

/**
 * Grants of people to clients, and the tokens issued for them. Secrets are passed only as hashes. Every method is
 * atomic, across processes. Every back end passes test/contract/authorizations.contract.ts.
 */
export interface Authorizations {
  /** Stores a grant and its code. */
  offerCode(grant: Grant, code: AuthorizationCode): Promise<void>
  /**
   * Returns a code the first time it is presented before it expires. Presenting it again ends the grant with all its
   * tokens and, like an unknown code, returns undefined.
   */
  takeCode(hash: string, now: Date): Promise<{ readonly grant: Grant; readonly code: AuthorizationCode } | undefined>
  /** False, with nothing stored, if the grant has ended in between. */
  issue(grant: string, tokens: IssuedTokens, now: Date): Promise<boolean>
  /**
   * Exchanges a refresh token for the next pair. A token that was already used, or is used by another client, ends the
   * grant with all its tokens. `too wide` if more is requested than was granted; in that case the token stays valid.
   */
  rotate(
    rotation: Rotation,
    next: Pick<IssuedTokens, 'refresh'> & { readonly access: Omit<IssuedTokens['access'], 'scopes'> },
  ): Promise<Access | 'too wide' | undefined>
  /** The permissions of an access token, while it is valid. */
  find(hash: string, now: Date): Promise<Access | undefined>
  /**
   * Ends the grant of a token of either kind, issued to this client, or a person's grant by id. Returns the ended
   * grants.
   */
  revoke(
    what: { readonly token: string; readonly client: string } | { readonly grant: string; readonly person: string },
  ): Promise<readonly Grant[]>
  /** A person's active grants, newest first. */
  list(person: string, now: Date): Promise<readonly Grant[]>
  /** Deletes expired data. A used code is kept for a day, so that its reuse is detected. */
  sweep(now: Date): Promise<void>
}

/** The three stores of one back end, which share their grants. */
export interface AuthorizationStore {
  readonly authorizations: Authorizations
  readonly clients: OAuthClients
  readonly devices: DeviceLogins
}
