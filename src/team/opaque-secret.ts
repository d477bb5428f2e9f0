import type { Chance } from '../kernel/ports/random.ts'

export const SECRET_BYTES = 32

/** A secret of 256 bits that nobody can guess, as base64url: what goes into cookies and links. */
export const opaqueSecret = (chance: Pick<Chance, 'bytes'>): string =>
  Buffer.from(chance.bytes(SECRET_BYTES)).toString('base64url')
