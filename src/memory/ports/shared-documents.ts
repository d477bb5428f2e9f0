import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { IndexBatch, StoredDocument } from './search-index.ts'

/** A workspace of somebody whose sessions and notes the people of a project find. */
export interface Share {
  readonly id: string
  readonly person: string
  /** What the person is called. */
  readonly author: string
  /** What the person's machine calls the folder: a hash. */
  readonly workspace: string
  /** What people call it. */
  readonly name: string
  readonly openedAt: string
  /** When all of it had come the last time. */
  readonly uploadedAt: string | undefined
  readonly documents: number
  readonly bytes: number
}

export type NewShare = Pick<Share, 'id' | 'author' | 'workspace' | 'name' | 'openedAt'>

/** A text as it is kept; the index has the rest of the document. */
export interface SharedText {
  readonly path: string
  /** Undefined for what was written on the server. */
  readonly share: string | undefined
  readonly author: string
  /** SHA-256 of the text as it was sent, in hex. */
  readonly hash: string
  readonly text: string
}

export interface SharedChange {
  readonly texts: readonly SharedText[]
  /** All that the index has of these texts: what it had of their paths is gone. */
  readonly batch: IndexBatch
}

/** How many rows of each kind are gone for good. */
export interface Withdrawn {
  readonly documents: number
  readonly chunks: number
  readonly postings: number
  readonly vectors: number
  readonly texts: number
}

/**
 * What people gave to the memory of a project: read by all of it, changed by whoever gave it. Whose they are is fixed
 * when it is opened; a share of somebody else is not there to be changed.
 */
export interface SharedDocuments {
  /** All of it or nothing; searches see it as soon as this resolves. */
  write(change: SharedChange): Promise<void>
  /** Texts of documents by their ids in the index, in no order; what is gone is left out. */
  texts(
    ids: readonly number[],
  ): Promise<readonly { readonly document: StoredDocument; readonly text: string; readonly author: string }[]>
  /** How much a scope holds, and the tags in it. */
  holds(scope: SearchScope): Promise<{ readonly documents: number; readonly tags: readonly string[] }>
  /** The one there is of this person and workspace, with the name it has now, or a new one. */
  openShare(share: NewShare): Promise<Share>
  /** Of everybody, the newest first. */
  shares(): Promise<readonly Share[]>
  /** What one's own share has, in the order of the paths behind `after`. */
  held(
    share: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly { readonly path: string; readonly hash: string }[]>
  /** All of it has come. */
  finishUpload(share: string, at: string): Promise<void>
  /**
   * Takes paths out of one's own share, all of them and the share itself without any, and says what is gone; everything
   * of one's own in the project where no share is named. What a crash left is taken out by the next call.
   */
  withdraw(share: string | undefined, paths?: readonly string[]): Promise<Withdrawn>
}
