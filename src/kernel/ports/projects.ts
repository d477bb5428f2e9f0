import type { Absence } from '../domain/project/disconnected.ts'

export interface ProjectRef {
  readonly id: string
  readonly name: string
  readonly mode: 'local' | 'repo' | 'cloud'
  /** Location of the record, for display. */
  readonly location: string
  /**
   * True if the record came with a clone and has not been reviewed here: its content is third-party text until `ken
   * trust`.
   */
  readonly fromClone?: boolean
  /** Team that the project is shared with; only in mode `cloud`. */
  readonly team?: { readonly server: string; readonly person: string }
}

export interface RegisteredProject extends ProjectRef {
  readonly repositories: readonly string[]
  /** False if there is no record; `absence` is the reason. */
  readonly present: boolean
  readonly absence?: Absence
}

export interface NewProject {
  readonly name: string
  readonly mode: 'local' | 'repo'
  /** Folder in which `.ken/config.json` is written; undefined for a project without a repository. */
  readonly repository: string | undefined
  /** Existing id to keep, if a record is adopted from elsewhere. */
  readonly id?: string
  /** Location of a record stored elsewhere, which stays there. */
  readonly storePath?: string
}

/** Content of a folder's config file, regardless of its author. */
export interface Claim {
  readonly id: string
  readonly name: string
  readonly mode: ProjectRef['mode']
  readonly repository: string
  /** Expected location of the record. */
  readonly location: string
  /** True if the user bound this folder, or a worktree of the same repository, to the project on this machine. */
  readonly bound: boolean
  /** True if a record with that id is on this machine, or in the folder itself. */
  readonly present: boolean
  /** Team server named in the config file. */
  readonly server?: string
}

/** Projects on this machine and their repositories. Every write is atomic and locked. */
export interface Projects {
  list(): Promise<readonly RegisteredProject[]>
  /**
   * Finds a project by id, by unique name, or by walking up from a directory to its `.ken/config.json` (or
   * `.nauro/config.json`); a working tree without one belongs to the project its repository is bound to, by git's
   * common directory. A config file comes with a clone, so it alone opens only the record in the clone itself, marked
   * `fromClone`: throws `forbidden` if it names a project of this machine that the user did not bind the folder to. A
   * working tree that contains its record always belongs to that project, whatever name is given. Undefined if none is
   * found; throws `conflict` if a name is shared, listing the ids. With `forgotten`, an unregistered record that is
   * still in Ken's folder is found by its id, without a name.
   */
  find(query: {
    readonly project?: string
    readonly directory: string
    readonly forgotten?: boolean
  }): Promise<RegisteredProject | undefined>
  /** Content of the config file around a directory, for display and for binding; never sufficient to read anything. */
  claim(directory: string): Promise<Claim | undefined>
  /** Registers without scaffolding. Throws `conflict` if the repository already belongs to a project. */
  create(project: NewProject): Promise<RegisteredProject>
  /**
   * Adds a repository to a project at the user's request and writes its config file. Throws `conflict` if it belongs to
   * another project.
   */
  bind(project: Pick<ProjectRef, 'id' | 'name' | 'mode' | 'location'>, repository: string): Promise<RegisteredProject>
  /** Removes a repository from a project, and its config file unless `config` is `keep`. */
  unbind(id: string, repository: string, config?: 'keep' | 'remove'): Promise<void>
  /**
   * Marks a project as having a record, so that one missing later counts as lost; `location` is set if it is stored
   * elsewhere.
   */
  started(id: string, location?: string): Promise<void>
  /**
   * Unregisters a project. Its record stays on disk unless `record` is `delete`: in that case repositories are
   * released, and a record outside Ken's folder throws `conflict`.
   */
  remove(id: string, record?: 'keep' | 'delete'): Promise<void>
}

export interface LinkedTeam {
  /** The server's origin. */
  readonly server: string
  /** Who writes here. */
  readonly person: string
}
