import type { Clock } from '../kernel/ports/clock.ts'
import type { Random } from '../kernel/ports/random.ts'
import { hashOfSecret } from './domain/token.ts'
import { opaqueSecret } from './opaque-secret.ts'
import type { OneTimeSecrets } from './ports/sign-in.ts'

export interface KnownBrowserParts {
  readonly secrets: OneTimeSecrets
  readonly clock: Clock
  readonly chance: Random
}

const PURPOSE = 'known browser'
export const KNOWN_SECONDS = 180 * 24 * 60 * 60

/**
 * Returns the secret for a cookie of a browser in which a person has signed in. It grants nothing: it only lets that
 * browser request a code while strangers request codes for the same address.
 */
export async function knowBrowser(parts: KnownBrowserParts, email: string): Promise<string> {
  const secret = opaqueSecret(parts.chance)
  await keep(parts, hashOfSecret(secret), { email })
  return secret
}

/** Whether a person has signed in with this address in this browser. */
export async function isBrowserOf(parts: KnownBrowserParts, secret: string, email: string): Promise<boolean> {
  const hash = hashOfSecret(secret.slice(0, 200))
  const held = await parts.secrets.take(hash, PURPOSE, parts.clock.now().toISOString())
  if (held === undefined) return false
  await keep(parts, hash, held)
  return (held as { readonly email: string }).email === email
}

async function keep({ secrets, clock }: KnownBrowserParts, hash: string, held: object): Promise<void> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + KNOWN_SECONDS * 1_000).toISOString()
  await secrets.keep({ hash, purpose: PURPOSE, held, expiresAt }, now.toISOString())
}
