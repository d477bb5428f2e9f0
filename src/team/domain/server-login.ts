/** What lets this user into a team server. */
export type ServerLogin = PersonalToken | GivenTokens

/** One that the person made and handed over; it ends when it ends. */
export interface PersonalToken {
  readonly kind: 'personal'
  readonly token: string
  readonly since: string
}

/** What a server gave to this machine after the person said yes in a browser. */
export interface GivenTokens {
  readonly kind: 'given'
  readonly access: string
  readonly accessUntil: string
  /** For the next two; each is good once. Undefined where the login ends with its access token. */
  readonly refresh: string | undefined
  readonly since: string
}

/** A request takes a while, and clocks differ a little. */
const MARGIN_MS = 60_000

/** Whether the token may be refused before a request that is made now arrives. */
export const isSpent = (login: ServerLogin, now: Date): boolean =>
  login.kind === 'given' && Date.parse(login.accessUntil) - now.getTime() < MARGIN_MS

export const bearerIn = (login: ServerLogin): string => (login.kind === 'given' ? login.access : login.token)
