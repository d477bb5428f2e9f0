import { createHmac, timingSafeEqual } from 'node:crypto'

/** What one side of an invitation shows the other. */
export interface Shown {
  /** Both have it from a file that only their user can read. */
  readonly secret: string
  readonly side: 'asks' | 'answers'
  /** Chosen by whoever asks, and with the answer what is answered. */
  readonly said: readonly string[]
}

/**
 * How two processes of one user know each other: each proves that it has the secret, and neither sends it. Another
 * user's program that took the port meanwhile learns nothing it could use and is not believed.
 */
export const proofOf = ({ secret, side, said }: Shown): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([side, ...said]))
    .digest('base64url')

export function isProof(given: unknown, shown: Shown): boolean {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(proofOf(shown))]
  return one.length === other.length && timingSafeEqual(one, other)
}
