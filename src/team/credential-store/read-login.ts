import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { ServerLogin } from '../domain/server-login.ts'

const SECRET = z.string().min(1).max(4_000)
const TIME = z.iso.datetime()

export const LOGIN = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('personal'), token: SECRET, since: TIME }),
  z.object({ kind: z.literal('given'), access: SECRET, accessUntil: TIME, refresh: SECRET.optional(), since: TIME }),
])

export function readLogin(text: string): ServerLogin {
  try {
    const { refresh, ...login } = LOGIN.parse(JSON.parse(text)) as ServerLogin & { refresh?: string }
    return login.kind === 'given' ? { ...login, refresh } : login
  } catch {
    // Omits the cause: it would contain the login.
    throw new AppError('damaged', 'The login in the keychain is not valid.', {
      hint: 'Run `ken auth logout` and log in again.',
    })
  }
}
