import type { EvaluationContext } from '../../evaluation/ports/evaluation-context.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Sharing } from './sharing.ts'
import type { TeamDesk } from './team-desk.ts'
import type { TeamLinks } from './team-links.ts'
import type { TeamMemory } from './team-memory.ts'

/** What a team server adds, and what links a machine to one. */
export interface TeamContext extends EvaluationContext {
  /** What binds records of this machine to those of teams. Loaded when first asked for. */
  teamLinks(): Promise<TeamLinks>
  /**
   * What colleagues gave to the memory of a linked project; undefined where it has no team, the user does not want it
   * searched or nobody is logged in. Nothing goes over the network before it is asked. Absent where only one's own counts.
   */
  readonly teamMemory?: ((project: RegisteredProject) => Promise<TeamMemory | undefined>) | undefined
  /** What this machine shares with team servers, and the way there. Opened when first asked for. */
  sharing(): Promise<Sharing>
  /** People, projects and access of the team that is served; there is none on a machine. */
  readonly team?: TeamDesk
}
