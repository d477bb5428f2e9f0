import type { Oversight } from '../../analyst/ports/oversight.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Sharing } from './sharing.ts'
import type { TeamDesk } from './team-desk.ts'
import type { TeamLinks } from './team-links.ts'
import type { TeamMemory } from './team-memory.ts'

/** Dependencies that exist only on a team server. */
export interface TeamNeeds {
  /** People, projects and access of the served team. Not available on a machine. */
  readonly team: TeamDesk
  /**
   * The analyst of a whole project. Not available on a machine. Operations must check what the caller may do with it.
   */
  oversight(): Promise<Oversight>
}

/** Dependencies that link a machine to team servers. */
export interface LocalTeamNeeds {
  /** Links between records on this machine and team records. Loaded on first use. */
  teamLinks(): Promise<TeamLinks>
  /**
   * Colleagues' part of the memory of a linked project; undefined if it has no team, the user does not want it searched
   * or nobody is logged in. Sends nothing before the first query. Absent if only the user's own memory counts.
   */
  readonly teamMemory?: ((project: RegisteredProject) => Promise<TeamMemory | undefined>) | undefined
  /** Data this machine shares with team servers, and the connection. Opened on first use. */
  sharing(): Promise<Sharing>
}
