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
  /** Null brings it back. */
  readonly archivedAt?: string | null
}

/** Projects of organisations, and who is what in them. Every back end passes test/contract/team-projects.contract.ts. */
export interface TeamProjects {
  /**
   * Whoever makes it becomes an admin of it. Where they know of one with this name already, in letters of any case, that
   * one is given and nothing is made; of two who make it at once, the second gets the first one's. Throws `conflict` for
   * an id that is taken, `not_found` for a creator who is not in the organisation.
   */
  create(project: TeamProject, creator: string): Promise<TeamProject>
  /**
   * Throws `not_found` for one of another organisation. One that is archived is there for nobody, and as before once it
   * no longer is.
   */
  change(organisation: string, id: string, change: ProjectChange): Promise<TeamProject>
  /** Those that are, by name. */
  archived(organisation: string): Promise<readonly TeamProject[]>
  /** Undefined where there is none, where it is another organisation's, and where the person may not know of it. */
  standing(person: string, project: string): Promise<Standing | undefined>
  /** What a person may know of, with what they are there, by name. */
  list(person: string): Promise<readonly (TeamProject & { readonly role: Role })[]>
  /** Those with a role of their own, by id. */
  members(project: string): Promise<readonly Member[]>
  /**
   * Gives a person a role of their own in it; undefined takes it away. Throws `not_found` where the two are not of one
   * organisation, or the person left.
   */
  setMember(project: string, person: string, role: Role | undefined): Promise<void>
}
