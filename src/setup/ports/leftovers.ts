/** Something Ken set up outside of client files. */
export interface Leftover {
  readonly kind: 'service' | 'key' | 'login' | 'merge driver' | 'context' | 'data'
  /** Its place or name, for display. */
  readonly what: string
  /** Why it stays; undefined if `remove` may be called. */
  readonly kept?: string
  remove(): Promise<void>
}

/**
 * Lists what Ken set up on this machine for these repositories, in the order of removal: services, keychain entries,
 * logins, git settings. With `data` also context projects that git does not track and Ken's folder, which comes last.
 * Finding changes nothing.
 */
export type FindLeftovers = (
  repositories: readonly string[],
  options: { readonly data: boolean },
) => Promise<readonly Leftover[]>
