/** Encrypts secrets for a database. `of` names owner and purpose: a secret can be opened only with the same value. */
export interface Seals {
  seal(secret: string, of: string): Uint8Array
  /** Throws `unavailable` for anything not sealed with this key. */
  open(sealed: Uint8Array, of: string): string
}
