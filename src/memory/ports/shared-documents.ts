import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { IndexBatch, StoredDocument } from './search-index.ts'

/** A person's workspace with sessions and notes that a project's members can search. */
export interface Share {
  readonly id: string
  readonly person: string
  /** Name of the person. */
  readonly author: string
  /** The folder's id on the person's machine: a hash. */
  readonly workspace: string
  /** Display name. */
  readonly name: string
  readonly openedAt: string
  /** When the last complete upload finished. */
  readonly uploadedAt: string | undefined
  readonly documents: number
  readonly bytes: number
}

export type NewShare = Pick<Share, 'id' | 'author' | 'workspace' | 'name' | 'openedAt'>

/** A stored text; the index has the rest of the document. */
export interface SharedText {
  readonly path: string
  /** Undefined for texts written on the server. */
  readonly share: string | undefined
  readonly author: string
  /** SHA-256 of the text as it was sent, in hex. */
  readonly hash: string
  readonly text: string
}

export interface SharedChange {
  readonly texts: readonly SharedText[]
  /** Replaces everything the index has for the paths of these texts. */
  readonly batch: IndexBatch
}

/** Number of permanently deleted rows of each kind. */
export interface Withdrawn {
  readonly documents: number
  readonly chunks: number
  readonly postings: number
  readonly vectors: number
  readonly texts: number
}

/**
 * Texts that people shared with a project's memory: readable by all members, writable only by their author. The author
 * is fixed on opening; another person's share cannot be changed.
 */
export interface SharedDocuments {
  /** All of the change or nothing; searches see it as soon as this resolves. */
  write(change: SharedChange): Promise<void>
  /** Texts of documents by their ids in the index, in no order; missing ones are omitted. */
  texts(
    ids: readonly number[],
  ): Promise<readonly { readonly document: StoredDocument; readonly text: string; readonly author: string }[]>
  /** Number of documents in a scope, and their tags. */
  holds(scope: SearchScope): Promise<{ readonly documents: number; readonly tags: readonly string[] }>
  /** The existing share of this person and workspace, renamed if needed, or a new one. */
  openShare(share: NewShare): Promise<Share>
  /** Shares of all members, newest first. */
  shares(): Promise<readonly Share[]>
  /** Content of the caller's share, in order of path, starting after `after`. */
  held(
    share: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly { readonly path: string; readonly hash: string }[]>
  finishUpload(share: string, at: string): Promise<void>
  /**
   * Removes paths from the caller's share, or the whole share if none are given, and returns the removed items; without
   * a share, everything the caller has in the project. The next call removes leftovers of a crash.
   */
  withdraw(share: string | undefined, paths?: readonly string[]): Promise<Withdrawn>
}
