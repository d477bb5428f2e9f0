import { createHmac, timingSafeEqual } from 'node:crypto'

/** Input of the proof by one side of an invitation. */
export interface Shown {
  /** From a file that only their user can read. */
  readonly secret: string
  readonly side: 'asks' | 'answers'
  /** The caller's nonce, and in a response also its contents. */
  readonly said: readonly string[]
}

/**
 * How two processes of one user authenticate each other: each proves that it has the secret, and neither sends it.
 * Another user's program that took the port meanwhile learns nothing useful and is rejected.
 */
export const proofOf = ({ secret, side, said }: Shown): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([side, ...said]))
    .digest('base64url')

export function isProof(given: unknown, shown: Shown): boolean {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(proofOf(shown))]
  return one.length === other.length && timingSafeEqual(one, other)
}
