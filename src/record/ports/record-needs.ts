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
   * The record of the named project, or of the one the working directory belongs to. Throws `not_found` with what to
   * do, and `disconnected` when the record should be there and is not. A project in hand is opened as it is, to start
   * its record. With `asOf` it is the record as it was then, to be read only: a date, a time, an age, a commit of the
   * repository around `cwd`, or a snapshot; throws `not_found` for what is none of them.
   */
  record(project?: string | RegisteredProject, at?: RecordMoment): Promise<Store>
  /** The git repository around `cwd`; undefined outside of one. */
  repository(): Promise<Repository | undefined>
  /** Its past; whoever opens it closes it. Undefined outside of a repository. */
  repositoryHistory(): Promise<RepositoryHistory | undefined>
  /**
   * The embedder that comes with Ken, whatever the settings name: it sends nothing anywhere and gives the same vectors
   * on every machine. Undefined when embeddings are off.
   */
  bundledEmbedder(): Promise<Embedder | undefined>
}

/** The part of the record that only a machine has. */
export interface LocalRecordNeeds {
  /** Finds records that are missing and puts them back. Loaded when first asked for. */
  lostRecords(): Promise<LostRecords>
  /** Reads source files by their syntax. Opened when first asked for. */
  codeParser(): Promise<CodeParser>
  /** What brings the page of `ken graph` to life in a browser. */
  graphViewer(): Promise<GraphViewer>
}
