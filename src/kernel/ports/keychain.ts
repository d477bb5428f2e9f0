/**
 * Secrets that the system keeps for the signed-in user, outside every file. Throws `unavailable` if this machine has
 * none, or it is locked. Specified in test/contract/keychain.contract.ts; a real system's is tested in
 * test/keychain.slow.test.ts.
 */
export interface Keychain {
  /** Undefined if no secret has that name. */
  get(name: string): Promise<string | undefined>
  /** Replaces an existing one. */
  set(name: string, secret: string): Promise<void>
  /** False if there was none. */
  remove(name: string): Promise<boolean>
}
