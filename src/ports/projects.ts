import type { ProjectRef } from './store.ts'

export interface RegisteredProject extends ProjectRef {
  readonly repositories: readonly string[]
  /** False when the record's folder is not there. */
  readonly present: boolean
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

/** Which projects this machine knows, and which repository belongs to which. Every write is atomic and locked. */
export interface Projects {
  list(): Promise<readonly RegisteredProject[]>
  /**
   * By id, by unique name, or by walking up from a directory to its `.ken/config.json` (or `.nauro/config.json`).
   * Undefined when there is none; throws `conflict` when a name is shared, naming the ids.
   */
  find(query: { readonly project?: string; readonly directory: string }): Promise<RegisteredProject | undefined>
  /** Registers, scaffolds nothing. Throws `conflict` when the repository already belongs to a project. */
  create(project: NewProject): Promise<RegisteredProject>
  /** Adds a repository to a project, or takes it away; its config file follows. */
  bind(id: string, repository: string): Promise<RegisteredProject>
  unbind(id: string, repository: string): Promise<void>
  /** Forgets a project. Its record stays on disk. */
  remove(id: string): Promise<void>
}
