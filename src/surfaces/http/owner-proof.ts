import { createHmac, timingSafeEqual } from 'node:crypto'

/** Input of the proof for one side of an invitation. */
export interface Shown {
  /** Read from a file that only the processes' user can read. */
  readonly secret: string
  readonly side: 'asks' | 'answers'
  /** The caller's nonce, and for a response also its contents. */
  readonly said: readonly string[]
}

/**
 * Authenticates two processes of one user to each other: each proves that it has the secret, and neither sends it.
 * Another user's program that has taken the port in the meantime learns nothing useful and is rejected.
 */
export const proofOf = ({ secret, side, said }: Shown): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([side, ...said]))
    .digest('base64url')

export function isProof(given: unknown, shown: Shown): boolean {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(proofOf(shown))]
  return one.length === other.length && timingSafeEqual(one, other)
}
