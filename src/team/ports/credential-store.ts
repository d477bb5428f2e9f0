import type { ServerLogin } from '../domain/server-login.ts'

export type ShelfPlace = 'keychain' | 'file'

/**
 * Logins to team servers on this machine, one for each server, by its origin: in the system keychain if there is one,
 * otherwise in a file that only the user can read. Every back end passes test/contract/login-shelf.contract.ts.
 */
export interface CredentialStore {
  /** Without secrets, by server. */
  list(): Promise<readonly ShelvedLogin[]>
  /** Throws `unavailable` if it is in a keychain that does not open. */
  get(server: string): Promise<ServerLogin | undefined>
  /** Replaces the previous one, wherever it was. */
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
