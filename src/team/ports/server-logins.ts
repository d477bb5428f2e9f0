/** Who this user is to team servers. Tokens are for the header of a request and for nothing else: never shown or logged. */
export interface ServerLogins {
  /**
   * A bearer token for a server (its origin, e.g. `https://ken.example.com`) that is good for the next minute; renewed
   * first where it is older. Undefined where the user is not logged in there. Throws `invalid_input` for what is no
   * address of a server, `forbidden` where a login has ended, `unavailable` where it cannot be renewed now.
   */
  tokenFor(server: string): Promise<string | undefined>
}
