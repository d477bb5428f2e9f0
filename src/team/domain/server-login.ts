/** This user's login to a team server. */
export type ServerLogin = PersonalToken | GivenTokens

/** A token that the person created and entered; valid until it expires. */
export interface PersonalToken {
  readonly kind: 'personal'
  readonly token: string
  readonly since: string
}

/** Tokens that a server issued to this machine after the person gave approval in a browser. */
export interface GivenTokens {
  readonly kind: 'given'
  readonly access: string
  readonly accessUntil: string
  /** Refresh token for the next pair; each is valid once. Undefined if the login ends with its access token. */
  readonly refresh: string | undefined
  readonly since: string
}

/** Allowance for request time and clock differences. */
const MARGIN_MS = 60_000

/** Whether the token may expire before a request made now arrives. */
export const isSpent = (login: ServerLogin, now: Date): boolean =>
  login.kind === 'given' && Date.parse(login.accessUntil) - now.getTime() < MARGIN_MS

export const bearerIn = (login: ServerLogin): string => (login.kind === 'given' ? login.access : login.token)
