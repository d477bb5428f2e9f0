import type { LoginDesk } from './keep-logins.ts'

export interface LoggedOut {
  /** False if there was no login. */
  readonly was: boolean
  /** Whether the server was informed; a personal token stays valid there until it is revoked. */
  readonly revoked: boolean
}

/** Removes the tokens from this machine, even if the server cannot be reached. */
export function logOut(origin: string, { shelf, serverAt }: LoginDesk): Promise<LoggedOut> {
  return shelf.alone(origin, async () => {
    const login = await shelf.get(origin).catch(() => undefined)
    const was = await shelf.remove(origin)
    if (login?.kind !== 'given') return { was, revoked: false }
    const revoked = await serverAt(origin)
      .revoke(login.refresh ?? login.access)
      .then(
        () => true,
        () => false,
      )
    return { was, revoked }
  })
}
