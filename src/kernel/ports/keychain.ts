/**
 * Secrets that the system keeps for the user who is signed in, out of every file. Throws `unavailable` where this
 * machine has none, or it is locked. test/contract/keychain.contract.ts says the rest; that of a real system is tried in
 * test/keychain.slow.test.ts.
 */
export interface Keychain {
  /** Undefined where there is none of that name. */
  get(name: string): Promise<string | undefined>
  /** Replaces the one there was. */
  set(name: string, secret: string): Promise<void>
  /** False where there was none. */
  remove(name: string): Promise<boolean>
}
