import type { StopSignal } from '../../kernel/domain/stop.ts'
import type {
  DocumentFacts,
  DocumentOrigin,
  LaidAside,
  SearchScope,
  Trust,
} from '../../retrieval/domain/ranking/indexed-document.ts'
import type { Verdict } from '../../retrieval/domain/ranking/verdict.ts'
import type { NoteOwner } from '../domain/note/note-owner.ts'
import type { SessionDocument } from '../domain/session/markdown.ts'
import type { CodeGraph } from './code-graph.ts'
import type { IndexStatus } from './search-index.ts'

export interface MemoryQuestion {
  /** Taken literally, whatever it holds. */
  readonly text: string
  readonly by: 'words' | 'meaning' | 'both'
  readonly scope: SearchScope
  readonly limit: number
}

export interface MemoryHit {
  /** Twelve hex digits; `read` takes it, also with a `#` before it. */
  readonly id: string
  readonly path: string
  readonly collection: string
  readonly title: string
  readonly heading: string
  readonly startLine: number
  readonly endLine: number
  readonly snippet: string
  /** Further parts of the document that are nearly as good, best first; those that meet are one. */
  readonly parts: readonly { readonly startLine: number; readonly endLine: number; readonly snippet: string }[]
  readonly score: number
  readonly verdict: Verdict
  readonly foundBy: 'words' | 'meaning' | 'both'
  readonly origin: DocumentOrigin
  readonly trust: Trust
  /** Whose it is: a workspace or `global`, and the id of a project. */
  readonly workspace: string
  readonly project: string | undefined
  readonly tags: readonly string[]
  readonly modified: Date
  /** Undefined while it holds. */
  readonly laidAside: LaidAside | undefined
  /** Who gave it to a memory that several people share. */
  readonly author?: string
}

export interface MemoryAnswer {
  readonly hits: readonly MemoryHit[]
  /** What ran: `lexical`, `semantic`, `expansion`, `rerank`. */
  readonly stages: readonly string[]
  /** Why a stage that was asked for did not run. */
  readonly notes: readonly string[]
  /** Chunks that have no vector yet, where that may have cost the answer something. */
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
  /** Of the file. */
  readonly totalLines: number
  /** The lines to read next, above and below; undefined where there are none. */
  readonly before: LineSpan | undefined
  readonly after: LineSpan | undefined
}

/** From 1, both included. */
export interface LineSpan {
  readonly from: number
  readonly to: number
}

export interface UpdateReport {
  /** Another process is at it; nothing was done here. */
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
  /** Everything is read again into an empty index, which takes the place of the one that is there. */
  readonly anew?: boolean
  /** Goes on below storage.minFreeDisk: a person wants something gone. */
  readonly withoutRoom?: boolean
  /** What was indexed by then stays; the rest waits for the next update. Throws `stopped`. */
  readonly signal?: StopSignal | undefined
  progress(message: string, done: number, total: number): void
}

export interface MemoryStatus extends IndexStatus {
  readonly embedder: string | undefined
  /** Why the embedder that is set cannot be used now. */
  readonly embedderFault: string | undefined
  /** Chunks that have no vector yet. */
  readonly pending: number
  readonly sessionBytes: number
}

/** A question of somebody who looks through the answer page by page. */
export interface MemoryBrowsing extends MemoryQuestion {
  /** How many documents to leave out first. */
  readonly from: number
  /** What else a document must be, where the scope cannot say it. */
  readonly accepts?: ((document: FoundDocument) => Promise<boolean>) | undefined
}

/** What is known of a document before its text is read. */
export type FoundDocument = Pick<
  DocumentFacts,
  'path' | 'collection' | 'origin' | 'trust' | 'workspace' | 'project' | 'tags' | 'modified'
> & { readonly verdict: Verdict }

export interface MemoryPage extends MemoryAnswer {
  /** What was looked for, which is what was typed unless a letter of that was wrong. */
  readonly text: string
  /** There are further documents behind this page. */
  readonly more: boolean
}

/** As its file is now: secrets are taken out of it on its way out. */
export interface MemorySession {
  readonly id: string
  readonly path: string
  readonly trust: Trust
  /** The line that was named behind it. */
  readonly line: number | undefined
  readonly session: SessionDocument
}

/** A session or note as it may leave this machine: without secrets, and without where it lies. */
export interface ShareableText {
  /** The same for the same document every time. */
  readonly name: string
  readonly origin: 'session' | 'note'
  readonly title: string
  readonly tags: readonly string[]
  /** Milliseconds. */
  readonly modified: number
  readonly text: string
  /** Secrets that were taken out of it. */
  readonly redacted: number
}

/** The memory for somebody who looks through it: page by page, and turn by turn. */
export interface MemoryBrowser {
  /** A page of an answer; of the newest documents where nothing is asked. */
  page(question: MemoryBrowsing): Promise<MemoryPage>
  /** The documents that an answer is made of, best first and at most `limit`; all of a scope where nothing is asked. */
  survey(question: MemoryQuestion): Promise<readonly FoundDocument[]>
  /** A session by what `read` takes for a document; undefined where there is none `within`, or it is none. */
  session(id: string, within: SearchScope['within']): Promise<MemorySession | undefined>
  /** Sessions and notes of one workspace or project, the newest first; no note that is tagged `private`. */
  shareable(within: NonNullable<SearchScope['within']>): AsyncIterable<ShareableText>
}

/** Notes, sessions, records, collections and code of this user, searched as one. */
export interface Memory {
  readonly code: CodeGraph
  readonly browser: MemoryBrowser
  search(question: MemoryQuestion): Promise<MemoryAnswer>
  /**
   * By id, path or `collection/path`, each with `:12-40` for those lines of the file; undefined when the index has no
   * such document `within`. `from` counts from 1. Of a file of notes only those are shown that are `within`.
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
  /** What a scope holds before anything is looked for: to tell a question without an answer from one about nothing. */
  holds(scope: SearchScope): Promise<{ readonly documents: number; readonly tags: readonly string[] }>
  /** Appends a note and indexes it, so that the next search finds it. Secrets are taken out first. */
  write(note: {
    readonly content: string
    readonly target: 'daily' | 'memory'
    readonly tags: readonly string[]
    /** A folder that holds Ken's own home is nobody's in particular, so its notes are everybody's. */
    readonly owner: NoteOwner
  }): Promise<{ path: string; line: number; redacted: number; owner: NoteOwner }>
  /** Reads what changed since. Another process may do the same at once: one of them works, the other says so. */
  update(request: UpdateRequest): Promise<UpdateReport>
  status(): Promise<MemoryStatus>
  close(): Promise<void>
}
