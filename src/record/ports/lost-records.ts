import type { RegisteredProject } from '../../kernel/ports/projects.ts'

/** A copy of a record that is missing from its place. */
export interface FoundRecord {
  /** A folder on this machine, or a commit of the repository that carries its record. */
  readonly kind: 'folder' | 'commit'
  /** A real path, or the full name of the commit. */
  readonly at: string
  readonly decisions: number
  /** When its journal says that it changed last; undefined without one. */
  readonly changed: string | undefined
  /**
   * What tells that it is of this project. `journal`: it holds what this machine saw last. `id`: it lies under the id.
   * `none`: nothing but the word of whoever named it.
   */
  readonly proof: 'journal' | 'id' | 'none'
}

/** Where the user said to look, beside the places that this machine knows. */
export interface NamedPlaces {
  /** Absolute: a record, a home of Ken or nauro, or a repository that carries its record. */
  readonly folders: readonly string[]
  readonly commit: string | undefined
}

/** Finds records that are missing from their place and puts them back. Follows no link, and asks nobody. */
export interface LostRecords {
  /**
   * Only what the user named, when that is anything. Else the places that the user's own doing on this machine gives:
   * never one that a file of the repository names. Throws `conflict` for a named record of another project, and
   * `not_found` where a named place has none.
   */
  find(project: RegisteredProject, named: NamedPlaces): Promise<readonly FoundRecord[]>
  /** How many events of the journal this machine had seen; undefined when it never saw the record. */
  lastSeen(project: RegisteredProject): number | undefined
  /**
   * Copies a record into the project's place, all of it or nothing. Answers where that which lay there was moved to, if
   * anything did.
   */
  bringBack(project: RegisteredProject, found: FoundRecord): Promise<{ readonly aside: string | undefined }>
  /** Clears the place for a new record: what is left there is moved away, and what this machine had seen is given up. */
  clear(project: RegisteredProject): Promise<{ readonly aside: string | undefined }>
}
