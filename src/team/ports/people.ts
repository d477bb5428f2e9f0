import type { Invitation, Organisation, Person } from '../domain/person.ts'
import type { Role } from '../domain/role.ts'

/**
 * Organisations and their people. Addresses come as `emailAddress` gives them. Every back end passes
 * test/contract/people.contract.ts.
 */
export interface People {
  /**
   * An organisation with its first admin, or nothing. Throws `conflict` with `first` where there is one already,
   * whoever else founds one at the same time.
   */
  found(organisation: Organisation, admin: Person, how: { readonly first: boolean }): Promise<void>
  /** Whether there is no organisation yet. */
  isEmpty(): Promise<boolean>
  /** Those of the ids that are there, or all, in the order of their ids. */
  organisations(ids?: readonly string[]): Promise<readonly Organisation[]>
  /** Also somebody who left. */
  find(id: string): Promise<Person | undefined>
  /** Who has an address now, in all organisations, the oldest first. Nobody who left. */
  withAddress(email: string): Promise<readonly Person[]>
  /** All of them, also those who left, in the order of their addresses. */
  list(organisation: string): Promise<readonly Person[]>
  /**
   * Throws `not_found` for somebody of another organisation or who left, `conflict` where no admin would be left. What
   * they hold follows at once: a token or session does what its person may now, and invitations of one who is no admin
   * any more are gone.
   */
  change(organisation: string, id: string, change: { readonly name?: string; readonly role?: Role }): Promise<Person>
  /**
   * They are a name from then on: roles in projects, tokens, sessions, passkeys and what they allowed programs are gone
   * in the same moment, also for when they come back. Throws like `change`.
   */
  leave(organisation: string, id: string, at: string): Promise<void>
}

/**
 * Whoever proves that an invited address is theirs is let in: an invitation holds no secret. Every back end passes
 * test/contract/people.contract.ts.
 */
export interface Invitations {
  /** Stands for an earlier one to the same address. Throws `conflict` where somebody who did not leave has it. */
  invite(invitation: Invitation): Promise<void>
  /** One that is not there, or of another organisation, is passed over. */
  withdraw(organisation: string, id: string): Promise<void>
  /** Those that still stand, the newest first. */
  list(organisation: string, now: string): Promise<readonly Invitation[]>
  /** Those of an address that still stand, in all organisations, the oldest first. */
  standingFor(email: string, now: string): Promise<readonly Invitation[]>
  /**
   * Takes every one that still stands for a proven address, or `only` the one of an id: its person has the id of the
   * invitation, or is who they were before they left. Gives everybody who has the address now, as `withAddress` does.
   */
  accept(accepted: {
    readonly email: string
    readonly name: string
    readonly at: string
    readonly only?: string
  }): Promise<readonly Person[]>
}
