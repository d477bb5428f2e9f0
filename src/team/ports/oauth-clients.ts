import type { OAuthClient } from '../domain/oauth/oauth-client.ts'

/** Self-registered clients, and counts of strangers' attempts. */
export interface OAuthClients {
  /** False if there are already `most`. Clients without a grant for a day make room first. */
  add(client: OAuthClient, limit: { readonly most: number; readonly now: Date }): Promise<boolean>
  find(id: string): Promise<OAuthClient | undefined>
  /** Adds one to a bucket and returns the sum, including this one; the bucket restarts after `until`. */
  tally(bucket: string, span: { readonly now: Date; readonly until: Date }): Promise<number>
}
