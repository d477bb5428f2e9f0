import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { CodeParser } from '../../retrieval/ports/code-parser.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import type { GraphViewer } from '../domain/graph/page.ts'
import type { LostRecords } from './lost-records.ts'
import type { RepositoryHistory } from './repository-history.ts'
import type { Repository } from './repository.ts'
import type { Store } from './store.ts'

/** When a record is wanted; now where nothing is named. */
export interface RecordMoment {
  readonly asOf: string | undefined
}

/** What operations on the record need. */
export interface RecordNeeds {
  /**
   * The record of the named project, or of the project around the working directory. Throws `not_found` with the next
   * step, and `disconnected` if the record should exist but is missing. A given project object is opened as it is, to
   * start its record. With `asOf`, the read-only record as of a date, a time, an age, a commit of the repository around
   * `cwd`, or a snapshot; throws `not_found` for anything else.
   */
  record(project?: string | RegisteredProject, at?: RecordMoment): Promise<Store>
  /** The git repository around `cwd`; undefined outside of one. */
  repository(): Promise<Repository | undefined>
  /** Its past; the caller closes it. Undefined outside a repository. */
  repositoryHistory(): Promise<RepositoryHistory | undefined>
  /**
   * The embedder that comes with Ken, whatever the settings name: it sends nothing anywhere and returns the same
   * vectors on every machine. Undefined if embeddings are off.
   */
  bundledEmbedder(): Promise<Embedder | undefined>
}

/** The part of the record that only a machine has. */
export interface LocalRecordNeeds {
  /** Finds missing records and restores them. Loaded on first use. */
  lostRecords(): Promise<LostRecords>
  /** Parses source files by their syntax. Opened on first use. */
  codeParser(): Promise<CodeParser>
  /** What brings the page of `ken graph` to life in a browser. */
  graphViewer(): Promise<GraphViewer>
}
