import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { Role } from '../domain/role.ts'
import type { TeamCopy } from './team-copy.ts'
import type { TeamMemory } from './team-memory.ts'
import type { TeamRecord } from './team-record.ts'

/**
 * A team server, as visible to the logged-in person. Throws `unavailable` with `offline: true` in its details if it
 * cannot be reached, and `forbidden` if the login does not permit the request.
 */
export interface TeamServer {
  /** Its origin. */
  readonly url: string
  /** Undefined if this person has no such project. */
  standing(project: string): Promise<ServerStanding | undefined>
  /** Does nothing if this person already has it; throws `conflict` if the id belongs to someone else. */
  create(project: { readonly id: string; readonly name: string }): Promise<void>
  /** Texts in the copy are not sent again: of a changed text, only the changed range is sent. */
  record(project: string, copy: Pick<TeamCopy, 'texts'>): TeamRecord
  /** The memory that the project's people share. */
  memory(project: string): TeamMemory
  /**
   * Waits until the record is no longer at the `known` revision, or some seconds have passed; returns the current
   * revision.
   */
  news(project: string, known: string | null, signal: StopSignal): Promise<string | null>
}

export interface ServerStanding {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The logged-in person, author of all writes here. */
  readonly person: string
  readonly revision: string | null
}
