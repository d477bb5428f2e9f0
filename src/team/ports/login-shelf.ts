import type { ServerLogin } from '../domain/server-login.ts'

export type ShelfPlace = 'keychain' | 'file'

/**
 * Where logins to team servers are kept on this machine, one for each server, by its origin: in the keychain of the
 * system where there is one, else in a file that only the user can read. Every back end passes
 * test/contract/login-shelf.contract.ts.
 */
export interface LoginShelf {
  /** Without a secret, by server. */
  list(): Promise<readonly ShelvedLogin[]>
  /** Throws `unavailable` where it lies in a keychain that does not open. */
  get(server: string): Promise<ServerLogin | undefined>
  /** Replaces the one there was, wherever it lay. */
  put(server: string, login: ServerLogin): Promise<ShelfPlace>
  /** False where there was none. */
  remove(server: string): Promise<boolean>
  /** Does something with one login that nobody does at the same time, in this process or another. */
  alone<T>(server: string, work: () => Promise<T>): Promise<T>
}

export interface ShelvedLogin {
  readonly server: string
  readonly kind: ServerLogin['kind']
  readonly place: ShelfPlace
  readonly since: string
}
