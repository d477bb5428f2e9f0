import type { Invitation, Organisation, Person } from '../domain/person.ts'
import type { Role } from '../domain/role.ts'

/**
 * Organisations and their people. Addresses are in the form of `emailAddress`. Every back end passes
 * test/contract/people.contract.ts.
 */
export interface People {
  /**
   * Creates an organisation with its first admin, or nothing. With `first`, throws `conflict` if an organisation
   * already exists, even with concurrent calls.
   */
  found(organisation: Organisation, admin: Person, how: { readonly first: boolean }): Promise<void>
  /** Whether there is no organisation yet. */
  isEmpty(): Promise<boolean>
  /** The organisations with these ids, or all of them, ordered by id. */
  organisations(ids?: readonly string[]): Promise<readonly Organisation[]>
  /** Includes people who left. */
  find(id: string): Promise<Person | undefined>
  /** Everyone who has the address now, in all organisations, oldest first. Excludes people who left. */
  withAddress(email: string): Promise<readonly Person[]>
  /** All people, including those who left, ordered by address. */
  list(organisation: string): Promise<readonly Person[]>
  /**
   * Throws `not_found` for a person of another organisation or one who left, `conflict` if no admin would remain. Takes
   * effect at once: tokens and sessions get the person's new permissions, and invitations by a former admin are
   * deleted.
   */
  change(organisation: string, id: string, change: { readonly name?: string; readonly role?: Role }): Promise<Person>
  /**
   * Keeps only the person's name: project roles, tokens, sessions, passkeys and program grants are deleted in the same
   * step and are not restored if the person returns. Throws like `change`.
   */
  leave(organisation: string, id: string, at: string): Promise<void>
}

/**
 * An invitation holds no secret: anyone who proves that they own an invited address is admitted. Every back end passes
 * test/contract/people.contract.ts.
 */
export interface Invitations {
  /** Replaces an earlier invitation to the same address. Throws `conflict` if a current member has the address. */
  invite(invitation: Invitation): Promise<void>
  /** Ignores an invitation that does not exist or belongs to another organisation. */
  withdraw(organisation: string, id: string): Promise<void>
  /** Invitations that are still open, newest first. */
  list(organisation: string, now: string): Promise<readonly Invitation[]>
  /** Open invitations of an address, in all organisations, oldest first. */
  standingFor(email: string, now: string): Promise<readonly Invitation[]>
  /**
   * Accepts every open invitation of a proven address, or `only` the one with this id. The person gets the invitation's
   * id, or keeps the id from before they left. Returns everyone who has the address now, as `withAddress` does.
   */
  accept(accepted: {
    readonly email: string
    readonly name: string
    readonly at: string
    readonly only?: string
  }): Promise<readonly Person[]>
}
