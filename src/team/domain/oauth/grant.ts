import type { Scope } from './scopes.ts'

/** A person's grant to a client. Tokens are issued only for a grant, and end with it. */
export interface Grant {
  readonly id: string
  readonly person: string
  readonly client: string
  /** The client's self-declared name at the time of consent. */
  readonly clientName: string
  /** The only address that accepts the tokens. */
  readonly resource: string
  readonly scopes: readonly Scope[]
  /** Ids of the granted projects. */
  readonly projects: readonly string[]
  /** Whether the client may refresh without the person. */
  readonly isLasting: boolean
  readonly createdAt: Date
  readonly endsAt: Date
}

/** A token, stored only as a hash. */
export interface IssuedToken {
  readonly hash: string
  readonly expiresAt: Date
}

export interface IssuedTokens {
  readonly access: IssuedToken & { readonly scopes: readonly Scope[] }
  readonly refresh: IssuedToken | undefined
}
