import { AppError } from '../kernel/domain/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Random } from '../kernel/ports/random.ts'
import { SCOPES, type Scope } from './domain/role.ts'
import { hashOfSecret, tokenSecret, type Token, type TokenKind } from './domain/token.ts'
import type { Tokens } from './ports/tokens.ts'

export interface WantedToken {
  readonly kind: TokenKind
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly projects: readonly string[] | undefined
  readonly days: number
}

const LONGEST_DAYS = 366
const DAY_MS = 24 * 60 * 60_000

/** Creates a token for a person in a browser; its secret is shown once and not stored. */
export async function issueToken(
  { tokens, clock, chance }: { readonly tokens: Tokens; readonly clock: Clock; readonly chance: Random },
  person: string,
  wanted: WantedToken,
): Promise<{ readonly token: Token; readonly secret: string }> {
  const name = wanted.name.trim()
  const days = Math.floor(wanted.days)
  if (name === '' || name.length > 100)
    throw new AppError('invalid_input', 'A token has a name of 1 to 100 characters.')
  if (!(days >= 1 && days <= LONGEST_DAYS))
    throw new AppError('invalid_input', `A token’s lifetime is 1 to ${LONGEST_DAYS} days.`)
  const scopes = SCOPES.filter((scope) => wanted.scopes.includes(scope))
  if (scopes.length === 0) throw new AppError('invalid_input', `A token has a scope: ${SCOPES.join(', ')}.`)
  if (wanted.projects?.length === 0)
    throw new AppError('invalid_input', 'A token needs all projects or a list of projects.')
  if (wanted.kind === 'agent' && scopes.includes('admin'))
    throw new AppError('invalid_input', 'An agent’s token can’t have the scope admin.', {
      hint: 'Grant it read and write.',
    })
  const secret = tokenSecret(wanted.kind, chance.bytes(32))
  const now = clock.now()
  const token: Token = {
    id: clock.ulid(),
    person,
    kind: wanted.kind,
    name,
    scopes,
    projects: wanted.projects,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
    usedAt: undefined,
    revokedAt: undefined,
  }
  await tokens.add(token, hashOfSecret(secret))
  return { token, secret }
}
