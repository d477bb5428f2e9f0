import { refusal } from '../../../team/domain/oauth/oauth-refusal.ts'
import { hashOfSecret } from '../../../team/domain/token.ts'
import type { OAuthOptions } from './oauth-options.ts'

export interface Allowance {
  readonly most: number
  readonly minutes: number
}

/** Enforces a limit, counted across all replicas. The key is stored as a hash: it may be an address. */
export async function keepWithin(
  { store, clock }: Pick<OAuthOptions, 'store' | 'clock'>,
  bucket: string,
  { most, minutes }: Allowance,
): Promise<void> {
  const now = clock.now()
  const until = new Date(now.getTime() + minutes * 60_000)
  if ((await store.clients.tally(hashOfSecret(bucket), { now, until })) > most)
    throw refusal('temporarily_unavailable', 'Too many attempts. Try again in a few minutes.')
}
