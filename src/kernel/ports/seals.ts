/** Secrets as they may lie in a database. `of` says whose it is and what for: a secret opens only under the same. */
export interface Seals {
  seal(secret: string, of: string): Uint8Array
  /** Throws `unavailable` for what was sealed with another key, or for something else. */
  open(sealed: Uint8Array, of: string): string
}
