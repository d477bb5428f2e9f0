import { AppError } from '../kernel/domain/errors.ts'
import { isTokenShaped } from './domain/token.ts'
import type { LoginDesk } from './keep-logins.ts'
import type { ShelfPlace } from './ports/credential-store.ts'

/** Logs in with a token that the person created, for unattended machines. Stored only if the server accepts it. */
export async function logInWithToken(origin: string, written: string, desk: LoginDesk): Promise<ShelfPlace> {
  const token = written.trim()
  if (!isTokenShaped(token))
    throw new AppError('invalid_input', 'Standard input is not a person’s or agent’s token.', {
      hint: 'Pipe in only the complete token, starting with ken_p_ or ken_a_.',
    })
  if (!(await desk.serverAt(origin).accepts(token)))
    throw new AppError('forbidden', `${origin} rejected this token.`, {
      hint: 'It may have expired: create another.',
    })
  return desk.shelf.alone(origin, () =>
    desk.shelf.put(origin, { kind: 'personal', token, since: desk.clock.now().toISOString() }),
  )
}
