/**
 * Secrets that the system keeps for the signed-in user, outside every file. Throws `unavailable` if this machine has no
 * keychain, or it is locked. Specified in test/contract/keychain.contract.ts; real system keychains are tested in
 * test/keychain.slow.test.ts.
 */
export interface Keychain {
  /** Undefined if no secret has that name. */
  get(name: string): Promise<string | undefined>
  /** Replaces an existing secret. */
  set(name: string, secret: string): Promise<void>
  /** False if there was none. */
  remove(name: string): Promise<boolean>
}
