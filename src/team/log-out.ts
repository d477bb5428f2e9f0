import type { LoginDesk } from './keep-logins.ts'

export interface LoggedOut {
  /** False where there was no login. */
  readonly was: boolean
  /** Whether the server was told; a token that a person made stays good there until they end it. */
  readonly revoked: boolean
}

/** The tokens leave this machine in any case, also where the server cannot be told. */
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
