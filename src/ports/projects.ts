import type { Absence } from '../core/project/disconnected.ts'
import type { ProjectRef } from './store.ts'

export interface RegisteredProject extends ProjectRef {
  readonly repositories: readonly string[]
  /** False when there is no record, for the reason that `absence` gives. */
  readonly present: boolean
  readonly absence?: Absence
}

export interface NewProject {
  readonly name: string
  readonly mode: 'local' | 'repo'
  /** The folder that gets `.ken/config.json`; undefined for a project without a repository. */
  readonly repository: string | undefined
  /** An id to keep, when a record is adopted from elsewhere. */
  readonly id?: string
  /** A record that lies elsewhere and stays there. */
  readonly storePath?: string
}

/** What the config file of a folder says, whoever wrote it. */
export interface Claim {
  readonly id: string
  readonly name: string
  readonly mode: ProjectRef['mode']
  readonly repository: string
  /** Where the record would lie. */
  readonly location: string
  /** True when the user bound this folder to the project on this machine, or a worktree of the same repository. */
  readonly bound: boolean
  /** True when a record of that id is on this machine, or in the folder itself. */
  readonly present: boolean
  /** The team server that it names. */
  readonly server?: string
}

/** Which projects this machine knows, and which repository belongs to which. Every write is atomic and locked. */
export interface Projects {
  list(): Promise<readonly RegisteredProject[]>
  /**
   * By id, by unique name, or by walking up from a directory to its `.ken/config.json` (or `.nauro/config.json`); a
   * working tree without one belongs to the project that its repository is bound to, by git's common directory. A
   * config file comes with a clone, so it alone opens nothing but the record in the clone itself, marked `fromClone`:
   * throws `forbidden` when it names a project of this machine that the user did not bind the folder to. In a working
   * tree that carries its record, that project is the tree's own, by whatever name it is asked for. Undefined when
   * there is none; throws `conflict` when a name is shared, naming the ids. With `forgotten`, a record that was taken off
   * the list and still lies in Ken's folder is found by its id, without a name.
   */
  find(query: {
    readonly project?: string
    readonly directory: string
    readonly forgotten?: boolean
  }): Promise<RegisteredProject | undefined>
  /**
   * What the config file around a directory says, for telling and for binding; nothing may be read on the strength of
   * it.
   */
  claim(directory: string): Promise<Claim | undefined>
  /** Registers, scaffolds nothing. Throws `conflict` when the repository already belongs to a project. */
  create(project: NewProject): Promise<RegisteredProject>
  /**
   * Adds a repository to a project, because the user said so here; its config file follows. Throws `conflict` when it
   * belongs to another.
   */
  bind(project: Pick<ProjectRef, 'id' | 'name' | 'mode' | 'location'>, repository: string): Promise<RegisteredProject>
  /** Takes a repository away again; its config file goes too, unless it is to stay. */
  unbind(id: string, repository: string, config?: 'keep' | 'remove'): Promise<void>
  /** Says that a project has a record now, so that one that is missing later is lost; `location` where it lies elsewhere. */
  started(id: string, location?: string): Promise<void>
  /**
   * Forgets a project. Its record stays on disk, unless it is to be deleted too: then repositories are released, and
   * one that lies elsewhere than in Ken's folder throws `conflict`.
   */
  remove(id: string, record?: 'keep' | 'delete'): Promise<void>
}
