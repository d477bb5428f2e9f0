import type { RegisteredProject } from '../../kernel/ports/projects.ts'

/** A copy of a missing record. */
export interface FoundRecord {
  /** A folder on this machine, or a commit of the repository that contains its record. */
  readonly kind: 'folder' | 'commit'
  /** A real path, or the full id of the commit. */
  readonly at: string
  readonly decisions: number
  /** Time of the last change according to the copy's journal; undefined without a journal. */
  readonly changed: string | undefined
  /**
   * Evidence that the copy belongs to this project. `journal`: it contains the last state this machine saw. `id`: its
   * path contains the id. `none`: only the claim of the person who named it.
   */
  readonly proof: 'journal' | 'id' | 'none'
}

/** Places that the user named, in addition to those known to this machine. */
export interface NamedPlaces {
  /** Absolute: a record, a Ken or nauro home, or a repository that contains its record. */
  readonly folders: readonly string[]
  readonly commit: string | undefined
}

/** Finds missing records and restores them. Follows no link and never prompts. */
export interface LostRecords {
  /**
   * Searches only the named places, if there are any; otherwise places known from the user's actions on this machine,
   * never a place named in a file of the repository. Throws `conflict` for a named record of another project, and
   * `not_found` if a named place has none.
   */
  find(project: RegisteredProject, named: NamedPlaces): Promise<readonly FoundRecord[]>
  /** Number of journal events this machine had seen; undefined if it never saw the record. */
  lastSeen(project: RegisteredProject): number | undefined
  /**
   * Copies a record into the project's place, completely or not at all. Returns the new location of the previous
   * contents, if there were any.
   */
  bringBack(project: RegisteredProject, found: FoundRecord): Promise<{ readonly aside: string | undefined }>
  /**
   * Clears the place for a new record: moves the remaining contents away and discards the state last seen on this
   * machine.
   */
  clear(project: RegisteredProject): Promise<{ readonly aside: string | undefined }>
}
