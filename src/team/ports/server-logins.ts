/** This user's logins at team servers. Tokens are only for request headers: never shown or logged. */
export interface ServerLogins {
  /**
   * A bearer token for a server (its origin, e.g. `https://ken.example.com`) that is valid for the next minute; renewed
   * first if it would expire sooner. Undefined if the user is not logged in there. Throws `invalid_input` for an
   * invalid server address, `forbidden` if the login has ended, `unavailable` if it cannot be renewed now.
   */
  tokenFor(server: string): Promise<string | undefined>
}
