import type { Lease } from '../../kernel/ports/lease.ts'
import type { LinkedTeam, RegisteredProject } from '../../kernel/ports/projects.ts'
import type { TeamCopy } from './team-copy.ts'
import type { TeamServer } from './team-server.ts'

/** What binds records of this machine to those of teams. */
export interface TeamLinks {
  /**
   * Throws `invalid_input` for an address that no token may be sent to, `forbidden` where nobody is logged in.
   * `isNamed`: the user chose this server here; one that a clone names gets only a token that was made for it.
   */
  server(url: string, how: { readonly isNamed: boolean }): Promise<TeamServer>
  /** What this machine and the team last agreed on; whoever opens it closes it. */
  copy(project: RegisteredProject): Promise<TeamCopy>
  /**
   * One process joins a record with its team at a time (`sync`), one is next, and one hears news of the team (`follow`).
   * Whoever opens it closes it.
   */
  lease(project: RegisteredProject, purpose: 'sync' | 'next' | 'follow'): Promise<Lease>
  /** Says that a record of this machine is a team's, in the registry and in the config files of its repositories. */
  link(id: string, team: LinkedTeam): Promise<RegisteredProject>
  /** It is a record of this machine alone again; what was agreed on is forgotten. */
  unlink(project: RegisteredProject): Promise<RegisteredProject>
  /** Registers a project of a team whose record is not here yet, with the repository it is for. */
  adopt(
    project: { readonly id: string; readonly name: string },
    team: LinkedTeam,
    repository: string,
  ): Promise<RegisteredProject>
}
