/** What must come back with the answer; kept by the server, never shown. */
export interface ProviderTrip {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/**
 * Somebody else who knows who people are. Only what one named issuer signed for this server and this trip counts, and of
 * that only addresses which it has verified, in domains that it may speak for.
 */
export interface IdentityProvider {
  /** What people know it as. */
  readonly name: string
  /** Where to send the browser. Throws `unavailable` where the provider cannot be reached or is not whom it should be. */
  begin(): Promise<{ readonly url: string; readonly trip: ProviderTrip }>
  /** `query` is what the browser came back with. Undefined for everything that proves no address. */
  finish(query: string, trip: ProviderTrip): Promise<{ readonly email: string } | undefined>
}
