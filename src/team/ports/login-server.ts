/**
 * The login endpoints of one team server, for a program on this machine. No error contains a code or a token. Throws
 * `unavailable` if it cannot be reached or does not respond like a team server.
 */
export interface LoginServer {
  begin(): Promise<DeviceCodes>
  /** The state of a pending login. */
  poll(device: string): Promise<'pending' | 'slow down' | 'expired' | 'denied' | NewTokens>
  /** New tokens for a refresh token, which becomes invalid. Undefined if it was already invalid. */
  refresh(token: string): Promise<NewTokens | undefined>
  /** Ends the login of a token. Ignores one that the server does not know. */
  revoke(token: string): Promise<void>
  accepts(token: string): Promise<boolean>
}

/** RFC 8628, 3.2. */
export interface DeviceCodes {
  readonly device: string
  /** The code that the person types at `address`. */
  readonly user: string
  readonly address: string
  /** Lifetime in seconds. */
  readonly lives: number
  readonly interval: number
}

export interface NewTokens {
  readonly access: string
  /** Lifetime in seconds. */
  readonly lives: number
  readonly refresh: string | undefined
}
