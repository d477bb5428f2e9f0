import type { Scope } from './scopes.ts'

/** What a person allowed a client. Tokens are only ever given for one of these, and end with it. */
export interface Grant {
  readonly id: string
  readonly person: string
  readonly client: string
  /** What the client called itself when the person said yes. */
  readonly clientName: string
  /** Whose tokens they are: the one address that takes them. */
  readonly resource: string
  readonly scopes: readonly Scope[]
  /** Ids of the projects that it is good for. */
  readonly projects: readonly string[]
  /** Whether the client may come back without the person. */
  readonly isLasting: boolean
  readonly createdAt: Date
  readonly endsAt: Date
}

/** Kept as its hash alone. */
export interface IssuedToken {
  readonly hash: string
  readonly expiresAt: Date
}

export interface IssuedTokens {
  readonly access: IssuedToken & { readonly scopes: readonly Scope[] }
  readonly refresh: IssuedToken | undefined
}
