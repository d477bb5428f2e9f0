/**
 * Documents that clients keep about themselves. The address is a stranger's: only a public server is asked, once,
 * without following it elsewhere, for a bounded time and size. Throws `unavailable` where that gives no document.
 */
export interface ClientDocuments {
  fetch(address: string): Promise<{ readonly text: string; readonly cacheControl: string | undefined }>
}
