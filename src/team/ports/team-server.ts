import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { Role } from '../domain/role.ts'
import type { TeamCopy } from './team-copy.ts'
import type { TeamMemory } from './team-memory.ts'
import type { TeamRecord } from './team-record.ts'

/**
 * A team's server, as the person sees it who is logged in there. Throws `unavailable` with `offline: true` in its
 * details where it cannot be reached, and `forbidden` where the login is not good for what was asked.
 */
export interface TeamServer {
  /** Its origin. */
  readonly url: string
  /** Undefined where there is no such project for this person. */
  standing(project: string): Promise<ServerStanding | undefined>
  /** Does nothing where it is there already for this person; throws `conflict` where the id is somebody else's. */
  create(project: { readonly id: string; readonly name: string }): Promise<void>
  /** Texts that the copy has are not sent again: of a text that changed only the stretch that did. */
  record(project: string, copy: Pick<TeamCopy, 'texts'>): TeamRecord
  /** What its people share of their memory. */
  memory(project: string): TeamMemory
  /** Waits until the record is no longer at a revision, or some seconds have passed; tells where it is then. */
  news(project: string, known: string | null, signal: StopSignal): Promise<string | null>
}

export interface ServerStanding {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** Whose login it is; what is written here is theirs. */
  readonly person: string
  readonly revision: string | null
}
