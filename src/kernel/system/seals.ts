import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import type { Seals } from '../ports/seals.ts'

const SHORTEST_KEY = 32
const FORM = 1
const [NONCE, TAG] = [12, 16]

/** Seals with a key that exists only in the server's environment. */
export function openSeals(key: string): Seals {
  if (key.length < SHORTEST_KEY)
    throw new AppError('invalid_input', `KEN_SECRET_KEY has fewer than ${SHORTEST_KEY} characters.`, {
      hint: 'Create one with `openssl rand -base64 32` and use the same for every replica.',
    })
  const own = Buffer.from(hkdfSync('sha256', key, '', 'ken seals', 32))
  return {
    seal(secret, of) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', own, nonce).setAAD(Buffer.from(of))
      const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(FORM), nonce, cipher.getAuthTag(), hidden])
    },
    open(sealed, of) {
      try {
        const bytes = Buffer.from(sealed)
        if (bytes[0] !== FORM) throw new Error('another form')
        const decipher = createDecipheriv('aes-256-gcm', own, bytes.subarray(1, 1 + NONCE), { authTagLength: TAG })
        decipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(1 + NONCE, 1 + NONCE + TAG))
        return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE + TAG)), decipher.final()]).toString('utf8')
      } catch {
        throw new AppError('unavailable', 'A secret was sealed with another KEN_SECRET_KEY.', {
          hint: 'Enter the secret again, or restore the key.',
        })
      }
    },
  }
}
