import { refusal } from './oauth-refusal.ts'

/** What an agent may be allowed, in the words that a person is asked with. */
export const SCOPES = {
  read: 'Read decisions, memory and context, and ask the analyst',
  write: 'Record decisions and notes, and change what is recorded',
} as const

export type Scope = keyof typeof SCOPES

export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[]

const LONGEST = 500

/**
 * What a request asks for: everything where it does not say, because a person is shown it and may take some away.
 * `offline_access` is what some clients add to be given a refresh token; it allows nothing by itself.
 */
export function readScopes(text: string | undefined, most: readonly Scope[] = ALL_SCOPES): readonly Scope[] {
  const asked = text?.split(' ').filter((word) => word !== '' && word !== 'offline_access') ?? []
  if (asked.length === 0) return most
  if (text!.length > LONGEST || !asked.every((word) => (most as readonly string[]).includes(word)))
    throw refusal('invalid_scope', 'The scope names something that cannot be given.')
  return most.filter((scope) => asked.includes(scope))
}
