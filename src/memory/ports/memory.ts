import type { StopSignal } from '../../kernel/domain/stop.ts'
import type {
  DocumentFacts,
  DocumentOrigin,
  Superseded,
  SearchScope,
  Trust,
} from '../../retrieval/domain/ranking/indexed-document.ts'
import type { Verdict } from '../../retrieval/domain/ranking/verdict.ts'
import type { NoteOwner } from '../domain/note/note-owner.ts'
import type { SessionDocument } from '../domain/session/markdown.ts'
import type { CodeGraph } from './code-graph.ts'
import type { IndexStatus } from './search-index.ts'

export interface MemoryQuestion {
  /** Taken literally, whatever it contains. */
  readonly text: string
  readonly by: 'words' | 'meaning' | 'both'
  readonly scope: SearchScope
  readonly limit: number
}

export interface MemoryHit {
  /** Twelve hex digits; `read` accepts it, even with a `#` before it. */
  readonly id: string
  readonly path: string
  readonly collection: string
  readonly title: string
  readonly heading: string
  readonly startLine: number
  readonly endLine: number
  readonly snippet: string
  /** Further parts of the document that are nearly as good, best first; adjacent ones are merged. */
  readonly parts: readonly { readonly startLine: number; readonly endLine: number; readonly snippet: string }[]
  readonly score: number
  readonly verdict: Verdict
  readonly foundBy: 'words' | 'meaning' | 'both'
  readonly origin: DocumentOrigin
  readonly trust: Trust
  /** Owner of the document: a workspace or `global`, and the id of a project. */
  readonly workspace: string
  readonly project: string | undefined
  readonly tags: readonly string[]
  readonly modified: Date
  /** Undefined while the document is active. */
  readonly superseded: Superseded | undefined
  /** The person who shared the document, in a shared memory. */
  readonly author?: string
  /** True if the file cannot be read now. */
  readonly isUnavailable?: true
  /** Ids of further sessions with the same content, such as forks and retries. */
  readonly repeats?: readonly string[]
}

export interface MemoryAnswer {
  readonly hits: readonly MemoryHit[]
  /** Completed stages: `lexical`, `semantic`, `expansion`, `rerank`. */
  readonly stages: readonly string[]
  /** Why a requested stage did not run. */
  readonly notes: readonly string[]
  /** Chunks without a vector, if that may have affected the answer. */
  readonly pending?: number
}

export interface MemoryText {
  readonly id: string
  readonly path: string
  readonly title: string
  readonly origin: DocumentOrigin
  readonly trust: Trust
  readonly text: string
  readonly startLine: number
  readonly endLine: number
  /** Number of lines in the file. */
  readonly totalLines: number
  /** The lines to read next, above and below; undefined if there are none. */
  readonly before: LineSpan | undefined
  readonly after: LineSpan | undefined
}

/** 1-based, both included. */
export interface LineSpan {
  readonly from: number
  readonly to: number
}

export interface UpdateReport {
  /** True if another process is updating instead. */
  readonly busy: boolean
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly embedded: number
  /** Files that could not be indexed, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
}

export interface UpdateRequest {
  readonly embed: boolean
  /** Only these collections; all when undefined. */
  readonly collections?: readonly string[]
  /** Missing folders whose documents are removed; documents of other missing folders stay. */
  readonly expired?: readonly string[]
  /** Rebuilds the index: everything is read again into an empty index, which replaces the old one. */
  readonly anew?: boolean
  /** Continues below storage.minFreeDisk, in order to remove something. */
  readonly withoutRoom?: boolean
  /** Texts indexed so far are kept; the rest waits for the next update. Throws `stopped`. */
  readonly signal?: StopSignal | undefined
  progress(message: string, done: number, total: number): void
}

export interface MemoryStatus extends IndexStatus {
  readonly embedder: string | undefined
  /** Why the configured embedder cannot be used now. */
  readonly embedderFault: string | undefined
  /** Chunks without a vector. */
  readonly pending: number
  readonly sessionBytes: number
  /** Missing folders; their documents stay in the index. */
  readonly missing: readonly { readonly collection: string; readonly root: string }[]
}

/** A question for paging through the answer. */
export interface MemoryBrowsing extends MemoryQuestion {
  /** Number of documents to skip. */
  readonly from: number
  /** Further conditions on a document that the scope cannot express. */
  readonly accepts?: ((document: FoundDocument) => Promise<boolean>) | undefined
}

/** Facts about a document known before its text is read. */
export type FoundDocument = Pick<
  DocumentFacts,
  'path' | 'collection' | 'origin' | 'trust' | 'workspace' | 'project' | 'tags' | 'modified'
> & { readonly verdict: Verdict }

export interface MemoryPage extends MemoryAnswer {
  /** The query after spelling correction. */
  readonly text: string
  /** True if more documents follow this page. */
  readonly more: boolean
}

/** A session read from its current file: secrets are redacted on output. */
export interface MemorySession {
  readonly id: string
  readonly path: string
  readonly trust: Trust
  /** The line number given after the id. */
  readonly line: number | undefined
  readonly session: SessionDocument
}

/** A session or note as it may leave this machine: without secrets and without its path. */
export interface ShareableText {
  /** Stable name of the document. */
  readonly name: string
  readonly origin: 'session' | 'note'
  readonly title: string
  readonly tags: readonly string[]
  /** Unix milliseconds. */
  readonly modified: number
  readonly text: string
  /** Number of redacted secrets. */
  readonly redacted: number
}

/** The memory for browsing: page by page, and turn by turn. */
export interface MemoryBrowser {
  /** A page of an answer; of the newest documents if there is no query. */
  page(question: MemoryBrowsing): Promise<MemoryPage>
  /** The documents of an answer, best first and at most `limit`; all of a scope if there is no query. */
  survey(question: MemoryQuestion): Promise<readonly FoundDocument[]>
  /**
   * A session, by any name that `read` accepts; undefined if there is none `within`, or if the document is not a
   * session.
   */
  session(id: string, within: SearchScope['within']): Promise<MemorySession | undefined>
  /** Sessions and notes of one workspace or project, newest first; without notes tagged `private`. */
  shareable(within: NonNullable<SearchScope['within']>): AsyncIterable<ShareableText>
}

/** This user's notes, sessions, records, collections and code, searched as one. */
export interface Memory {
  readonly code: CodeGraph
  readonly browser: MemoryBrowser
  search(question: MemoryQuestion): Promise<MemoryAnswer>
  /**
   * Reads by id, path or `collection/path`, each with `:12-40` for only those lines of the file; undefined if the index
   * has no such document `within`. `from` is 1-based. If the document is a note file, shows only the notes `within`.
   */
  read(
    id: string,
    part: {
      readonly from?: number | undefined
      readonly lines?: number | undefined
      readonly within: SearchScope['within']
    },
  ): Promise<MemoryText | undefined>
  /** The ids of documents `within` whose path, or `collection/path`, a glob matches; in order of path. */
  match(glob: string, cwd: string, within: SearchScope['within']): Promise<readonly string[]>
  /** Content of a scope before any search: distinguishes a question without an answer from an empty scope. */
  holds(scope: SearchScope): Promise<{ readonly documents: number; tags(): Promise<readonly string[]> }>
  /** Appends a note and indexes it, so that the next search finds it. Secrets are redacted first. */
  write(note: {
    readonly content: string
    readonly target: 'daily' | 'memory'
    readonly tags: readonly string[]
    /** A folder that contains Ken's home has no particular owner, so its notes are global. */
    readonly owner: NoteOwner
  }): Promise<{ path: string; line: number; redacted: number; owner: NoteOwner }>
  /** Indexes the changes since the last update. If two processes update at once, one works and the other is `busy`. */
  update(request: UpdateRequest): Promise<UpdateReport>
  status(): Promise<MemoryStatus>
  close(): Promise<void>
}
