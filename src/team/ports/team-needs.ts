import type { Oversight } from '../../analyst/ports/oversight.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Sharing } from './sharing.ts'
import type { TeamDesk } from './team-desk.ts'
import type { TeamLinks } from './team-links.ts'
import type { TeamMemory } from './team-memory.ts'

/** What only a team server has. */
export interface TeamNeeds {
  /** People, projects and access of the team that is served; there is none on a machine. */
  readonly team: TeamDesk
  /** The analyst of a whole project; there is none on a machine. Who may ask what of it is for operations to decide. */
  oversight(): Promise<Oversight>
}

/** What links a machine to team servers. */
export interface LocalTeamNeeds {
  /** What binds records of this machine to those of teams. Loaded when first asked for. */
  teamLinks(): Promise<TeamLinks>
  /**
   * What colleagues gave to the memory of a linked project; undefined where it has no team, the user does not want it
   * searched or nobody is logged in. Nothing goes over the network before it is asked. Absent where only one's own counts.
   */
  readonly teamMemory?: ((project: RegisteredProject) => Promise<TeamMemory | undefined>) | undefined
  /** What this machine shares with team servers, and the way there. Opened when first asked for. */
  sharing(): Promise<Sharing>
}
