import type { OAuthClient } from '../domain/oauth/oauth-client.ts'

/** Clients that registered themselves, and how often strangers tried something. */
export interface OAuthClients {
  /**
   * False when `most` are kept already. Those that nobody allowed anything for a day make room first.
   */
  add(client: OAuthClient, limit: { readonly most: number; readonly now: Date }): Promise<boolean>
  find(id: string): Promise<OAuthClient | undefined>
  /** Counts one more in a bucket and gives the sum, this one included; the bucket begins anew after `until`. */
  tally(bucket: string, span: { readonly now: Date; readonly until: Date }): Promise<number>
}
