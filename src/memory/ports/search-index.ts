import type { CodeOutline } from '../../retrieval/domain/chunking/code-outline.ts'
import type { ChunkFacts, DocumentFacts, SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { PackedPostings } from '../../retrieval/domain/ranking/packed-postings.ts'
import type { ReadQuestion } from '../../retrieval/domain/ranking/read-question.ts'
import type { QuantizedVector } from '../../retrieval/domain/ranking/vector.ts'

/** Changes that land together. A document that is already there under its collection and path is replaced. */
export interface IndexBatch {
  readonly documents: readonly {
    readonly facts: DocumentFacts
    readonly chunks: readonly ChunkFacts[]
    readonly outline?: CodeOutline | undefined
  }[]
  /** The terms of all chunks of all documents, which are numbered through in order. */
  readonly postings: PackedPostings
  /** Of all chunks of all documents, in order, where they were made along with the words. */
  readonly vectors?: { readonly embedder: string; readonly all: readonly QuantizedVector[] } | undefined
  readonly removed: readonly {
    readonly collection: string
    readonly path: string
    readonly entry?: string | undefined
  }[]
  /** Files that were touched and hold what they held. */
  readonly restamped: readonly {
    readonly collection: string
    readonly path: string
    readonly size: number
    readonly mtime: number
  }[]
}

export interface IndexQuestion extends ReadQuestion {
  /**
   * What the question means to an embedder. With a `beta` the answer is ranked by cosine + beta · coverage, without by
   * rank.
   */
  readonly meaning?:
    | { readonly embedder: string; readonly vector: QuantizedVector; readonly beta: number | undefined }
    | undefined
  /** `words` and `meaning` rank by one of the two alone. */
  readonly by: 'words' | 'meaning' | 'both'
  readonly scope: SearchScope
  /** Documents, not chunks. */
  readonly limit: number
}

export interface IndexHit {
  readonly document: StoredDocument
  /** The best part of the document. */
  readonly chunk: StoredChunk
  /** Further parts of it that are nearly as good, best first; at most two. */
  readonly parts: readonly StoredChunk[]
  readonly score: number
  readonly coverage: number
  /** Null when the chunk has no vector or none was asked for. */
  readonly cosine: number | null
  /** Every word of the question stands in the chunk. */
  readonly hasAllWords: boolean
  /** The question is its title or the name of its file. */
  readonly isNamed: boolean
  /** What the document counts for this question: less than 1 when it was laid aside and something current says the same. */
  readonly worth: number
}

/** Lines count from the first of the document, which of an entry is its heading. */
export interface StoredChunk extends Omit<ChunkFacts, 'length'> {
  readonly id: number
}

export interface StoredDocument extends DocumentFacts {
  readonly id: number
  /** Twelve hex digits from collection, path and entry: it stays the same when the index is rebuilt. */
  readonly key: string
}

/** A chunk that has no vector of an embedder yet. */
export interface UnembeddedChunk extends StoredChunk {
  readonly document: number
  /** Which chunk of its document it is, from 0. */
  readonly at: number
  /** Another one once chunks have been given other ids. */
  readonly epoch: number
}

export interface IndexStatus {
  /** Those that have something to find in them. */
  readonly documents: number
  readonly chunks: number
  readonly vectors: Readonly<Record<string, number>>
  readonly byCollection: Readonly<Record<string, number>>
  readonly byWorkspace: Readonly<Record<string, number>>
  readonly byOrigin: Readonly<Record<string, number>>
  readonly bytes: number
  /** Grows with every change anyone makes. */
  readonly generation: number
}

/** How another thread of this process opens the same index: the module exports `openWriter`. */
export interface IndexElsewhere {
  readonly module: string
  readonly path: string
}

export type OpenWriter = (path: string) => Pick<SearchIndex, 'write' | 'storeVectors' | 'close'>

/**
 * Documents by words and by meaning. Derived: whatever it holds can be made again from the files.
 * Every back end passes test/contract/search-index.contract.ts. Several processes may use one index at once.
 */
export interface SearchIndex {
  /** Undefined where no other thread can reach it. */
  readonly elsewhere: IndexElsewhere | undefined
  /** All of the batch or nothing; searches see it as soon as this resolves. */
  write(batch: IndexBatch): Promise<void>
  /**
   * Best first; equal scores in an order that depends on collection and path alone. Nothing outside the scope is ever
   * returned, and the answer is full whenever enough is inside.
   */
  search(question: IndexQuestion): Promise<readonly IndexHit[]>
  /** How many chunks there are, and how many of them hold each of these terms. */
  frequencies(terms: readonly string[]): Promise<{ readonly chunks: number; of(term: string): number }>
  /** By path. `like` narrows to a collection, to one file by its path, or to one document by its key. */
  documents(like: {
    readonly collection?: string
    readonly path?: string
    readonly key?: string
  }): Promise<readonly StoredDocument[]>
  /** In order of document and chunk, at most `limit` documents, from the first whose id is larger than `after`. */
  unembedded(embedder: string, limit: number, after?: number): Promise<readonly UnembeddedChunk[]>
  /** Vectors for chunks that are gone by now, or that may have another id, are dropped. */
  storeVectors(
    embedder: string,
    vectors: readonly { readonly chunk: number; readonly epoch?: number; readonly vector: QuantizedVector }[],
  ): Promise<void>
  status(): Promise<IndexStatus>
  close(): Promise<void>
}
