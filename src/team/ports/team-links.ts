import type { Lease } from '../../kernel/ports/lease.ts'
import type { LinkedTeam, RegisteredProject } from '../../kernel/ports/projects.ts'
import type { TeamCopy } from './team-copy.ts'
import type { TeamServer } from './team-server.ts'

/** Links between records on this machine and team records. */
export interface TeamLinks {
  /**
   * Throws `invalid_input` for an address that no token may be sent to, `forbidden` if the user is not logged in.
   * `isNamed`: the user chose this server here; a server named by a clone receives only a token that was issued for it.
   */
  server(url: string, how: { readonly isNamed: boolean }): Promise<TeamServer>
  /** The last state that this machine and the team agreed on; the caller closes it. */
  copy(project: RegisteredProject): Promise<TeamCopy>
  /**
   * One process at a time merges a record with its team's (`sync`), one is next in line (`next`), and one listens for
   * team changes (`follow`). The caller closes it.
   */
  lease(project: RegisteredProject, purpose: 'sync' | 'next' | 'follow'): Promise<Lease>
  /** Marks a local record as a team's, in the registry and in the config files of its repositories. */
  link(id: string, team: LinkedTeam): Promise<RegisteredProject>
  /** Makes the record local to this machine again; the agreed state is deleted. */
  unlink(project: RegisteredProject): Promise<RegisteredProject>
  /** Registers a team project that has no local record yet, with its repository. */
  adopt(
    project: { readonly id: string; readonly name: string },
    team: LinkedTeam,
    repository: string,
  ): Promise<RegisteredProject>
}
