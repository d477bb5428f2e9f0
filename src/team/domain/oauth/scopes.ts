import { refusal } from './oauth-refusal.ts'

/** Permissions for agents, in the words of the consent page. */
export const SCOPES = {
  read: 'Read decisions, memory and context, and ask the analyst',
  write: 'Record decisions and notes, and change what is recorded',
} as const

export type Scope = keyof typeof SCOPES

export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[]

const LONGEST = 500

/**
 * The requested scopes: all by default, because a person sees them and may remove some. `offline_access` is added by
 * some clients to get a refresh token; it grants nothing.
 */
export function readScopes(text: string | undefined, most: readonly Scope[] = ALL_SCOPES): readonly Scope[] {
  const asked = text?.split(' ').filter((word) => word !== '' && word !== 'offline_access') ?? []
  if (asked.length === 0) return most
  if (text!.length > LONGEST || !asked.every((word) => (most as readonly string[]).includes(word)))
    throw refusal('invalid_scope', 'The scope names something that cannot be given.')
  return most.filter((scope) => asked.includes(scope))
}

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
