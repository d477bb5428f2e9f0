/**
 * The door of one team server, as a program on this machine knocks at it. Nothing that is thrown holds a code or a
 * token. Throws `unavailable` where it cannot be reached or does not answer as a team server does.
 */
export interface LoginServer {
  begin(): Promise<DeviceCodes>
  /** What became of a login that was begun. */
  poll(device: string): Promise<'pending' | 'slow down' | 'expired' | 'denied' | NewTokens>
  /** New tokens for a refresh token, which is of no use from then on. Undefined where it was of none already. */
  refresh(token: string): Promise<NewTokens | undefined>
  /** Ends the login that a token belongs to. One that the server does not know is passed over. */
  revoke(token: string): Promise<void>
  /** Whether a token is let in. */
  accepts(token: string): Promise<boolean>
}

/** RFC 8628, 3.2. */
export interface DeviceCodes {
  readonly device: string
  /** For the person to type, at `address`. */
  readonly user: string
  readonly address: string
  /** In seconds. */
  readonly lives: number
  readonly interval: number
}

export interface NewTokens {
  readonly access: string
  /** In seconds. */
  readonly lives: number
  readonly refresh: string | undefined
}
