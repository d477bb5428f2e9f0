/**
 * Documents that clients publish about themselves. The address is untrusted: only a public server is contacted, once,
 * without redirects, for a bounded time and size. Throws `unavailable` if no document is returned.
 */
export interface ClientDocuments {
  fetch(address: string): Promise<{ readonly text: string; readonly cacheControl: string | undefined }>
}
