import type { Standing } from '../domain/may.ts'
import type { TeamProject } from '../domain/person.ts'
import type { Access, Role } from '../domain/role.ts'

export interface Member {
  readonly person: string
  readonly role: Role
}

export interface ProjectChange {
  readonly name?: string
  readonly access?: Access
  /** Null unarchives it. */
  readonly archivedAt?: string | null
}

/**
 * Projects of organisations and their members' roles. Every back end passes test/contract/team-projects.contract.ts.
 */
export interface TeamProjects {
  /**
   * The creator becomes an admin of it. If they can already see a project with this name, ignoring case, that one is
   * returned and nothing is created; the second of two concurrent creators gets the first one's project. Throws
   * `conflict` for an id that is taken, `not_found` for a creator who is not in the organisation.
   */
  create(project: TeamProject, creator: string): Promise<TeamProject>
  /**
   * Throws `not_found` for a project of another organisation. An archived project is hidden from everyone, and
   * unchanged once it is unarchived.
   */
  change(organisation: string, id: string, change: ProjectChange): Promise<TeamProject>
  /** Archived projects, by name. */
  archived(organisation: string): Promise<readonly TeamProject[]>
  /**
   * Undefined if the project does not exist, if it belongs to another organisation, or if the person may not see it.
   */
  standing(person: string, project: string): Promise<Standing | undefined>
  /** The projects a person may see, with their role in each, by name. */
  list(person: string): Promise<readonly (TeamProject & { readonly role: Role })[]>
  /** People with an explicit role in the project, by id. */
  members(project: string): Promise<readonly Member[]>
  /**
   * Sets a person's explicit role in the project; undefined removes the role. Throws `not_found` if the organisations
   * differ, or if the person has left.
   */
  setMember(project: string, person: string, role: Role | undefined): Promise<void>
}
