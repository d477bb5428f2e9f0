import type { Random } from '../kernel/ports/random.ts'

export const SECRET_BYTES = 32

/** An unguessable secret of 256 bits, as base64url, for cookies and links. */
export const opaqueSecret = (chance: Pick<Random, 'bytes'>): string =>
  Buffer.from(chance.bytes(SECRET_BYTES)).toString('base64url')
