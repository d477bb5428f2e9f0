/** Values to match in the response; kept by the server, never shown. */
export interface ProviderTrip {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/**
 * An external identity provider. Accepts only data that one named issuer signed for this server and trip, and only
 * addresses that the issuer has verified, in domains that it may vouch for.
 */
export interface IdentityProvider {
  /** Display name. */
  readonly name: string
  /** E-mail domains that it may vouch for, in lower case. */
  readonly domains: readonly string[]
  /**
   * Redirect URL for the browser. Throws `unavailable` if the provider cannot be reached or is not the expected one.
   */
  begin(): Promise<{ readonly url: string; readonly trip: ProviderTrip }>
  /** `query` is the query string of the browser's return. Undefined if it proves no address. */
  finish(query: string, trip: ProviderTrip): Promise<{ readonly email: string } | undefined>
}
