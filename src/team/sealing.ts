import { AppError } from '../kernel/domain/errors.ts'
import type { Seals } from '../kernel/ports/seals.ts'

/** Throws `unavailable` on a server without a key, which stores no secrets. */
export function sealing(seals: Seals | undefined): Seals {
  if (seals !== undefined) return seals
  throw new AppError('unavailable', 'This server has no key to encrypt secrets (KEN_SECRET_KEY).', {
    hint: 'The operator must set KEN_SECRET_KEY, the same on every replica.',
  })
}
