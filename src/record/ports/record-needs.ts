import type { ProjectRef, RegisteredProject } from '../../kernel/ports/projects.ts'
import type { CodeParser } from '../../retrieval/ports/code-parser.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import type { GraphViewer } from '../domain/graph/page.ts'
import type { JournalEvent } from '../domain/journal/event.ts'
import type { LostRecords } from './lost-records.ts'
import type { RepositoryHistory } from './repository-history.ts'
import type { Repository } from './repository.ts'
import type { Store } from './store.ts'

/** The moment of the requested record; now if undefined. */
export interface RecordMoment {
  readonly asOf: string | undefined
}

/** The record files by path, and the journal, oldest first. */
interface RecordContent {
  readonly files: Readonly<Record<string, string>>
  readonly events: readonly JournalEvent[]
}

/** Dependencies of operations on the record. */
export interface RecordNeeds {
  /**
   * The record of the named project, or of the project around the working directory. Throws `not_found` with the next
   * step, and `disconnected` if the record should exist but is missing. A project object is opened as given, to start
   * its record. With `asOf`, the read-only record as of a date, a time, an age, a commit of the repository around
   * `cwd`, or a snapshot; throws `not_found` for anything else.
   */
  record(project?: string | RegisteredProject, at?: RecordMoment): Promise<Store>
  /** The git repository around `cwd`; undefined outside of one. */
  repository(): Promise<Repository | undefined>
  /** History of that repository; the caller closes it. Undefined outside of a repository. */
  repositoryHistory(): Promise<RepositoryHistory | undefined>
  /**
   * The embedder that comes with Ken, regardless of the settings: it sends no data and returns the same vectors on
   * every machine. Undefined if embeddings are off.
   */
  bundledEmbedder(): Promise<Embedder | undefined>
  /** Script and style of the graph page. */
  graphViewer(): Promise<GraphViewer>
}

/** The part of the record that exists only on a machine. */
export interface LocalRecordNeeds {
  /**
   * Opens a record in memory, from files that are not on disk, such as the files of another commit. Changes are lost.
   */
  recordOf(project: ProjectRef, content: RecordContent): Promise<Store>
  /** Finds missing records and restores them. Loaded on first use. */
  lostRecords(): Promise<LostRecords>
  /** Parses source files by their syntax. Opened on first use. */
  codeParser(): Promise<CodeParser>
}
