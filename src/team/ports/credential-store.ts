import type { ServerLogin } from '../domain/server-login.ts'

export type ShelfPlace = 'keychain' | 'file'

/**
 * Logins to team servers on this machine, one for each server, by its origin: in the system keychain if there is one,
 * otherwise in a file that only the user can read. Every back end passes test/contract/login-shelf.contract.ts.
 */
export interface CredentialStore {
  /** All logins without their secrets, ordered by server. */
  list(): Promise<readonly ShelvedLogin[]>
  /** Throws `unavailable` if the login is in a keychain that cannot be opened. */
  get(server: string): Promise<ServerLogin | undefined>
  /** Replaces the previous login, wherever it was stored. */
  put(server: string, login: ServerLogin): Promise<ShelfPlace>
  /** False if there was none. */
  remove(server: string): Promise<boolean>
  /** Runs work with exclusive use of one login, across processes. */
  alone<T>(server: string, work: () => Promise<T>): Promise<T>
}

export interface ShelvedLogin {
  readonly server: string
  readonly kind: ServerLogin['kind']
  readonly place: ShelfPlace
  readonly since: string
}
