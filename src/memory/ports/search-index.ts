import type { CodeOutline } from '../../retrieval/domain/chunking/code-outline.ts'
import type { ChunkFacts, DocumentFacts, SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { PackedPostings } from '../../retrieval/domain/ranking/packed-postings.ts'
import type { ReadQuestion } from '../../retrieval/domain/ranking/read-question.ts'
import type { QuantizedVector } from '../../retrieval/domain/ranking/vector.ts'

/** Changes committed together. An existing document with the same collection and path is replaced. */
export interface IndexBatch {
  readonly documents: readonly {
    readonly facts: DocumentFacts
    readonly chunks: readonly ChunkFacts[]
    readonly outline?: CodeOutline | undefined
  }[]
  /** The terms of all chunks of all documents, in consecutive parts; a document may continue in the next one. */
  readonly postings: readonly PackedPostings[]
  /** Vectors of all chunks of all documents, in order, if made along with the words. */
  readonly vectors?: { readonly embedder: string; readonly all: readonly QuantizedVector[] } | undefined
  readonly removed: readonly {
    readonly collection: string
    readonly path: string
    readonly entry?: string | undefined
  }[]
  /** Files touched without a change in content. */
  readonly restamped: readonly {
    readonly collection: string
    readonly path: string
    readonly size: number
    readonly mtime: number
  }[]
}

export interface IndexQuestion extends ReadQuestion {
  /**
   * The question's vector for an embedder. With a `beta` the answer is ranked by cosine + beta · coverage, without by
   * rank.
   */
  readonly meaning?:
    | { readonly embedder: string; readonly vector: QuantizedVector; readonly beta: number | undefined }
    | undefined
  /** `words` and `meaning` rank by only one of the two. */
  readonly by: 'words' | 'meaning' | 'both'
  readonly scope: SearchScope
  /** Documents, not chunks. */
  readonly limit: number
}

export interface IndexHit {
  readonly document: StoredDocument
  /** The best part of the document. */
  readonly chunk: StoredChunk
  /** Further parts of it that are nearly as good, best first: at most four for the first hit, two for others. */
  readonly parts: readonly StoredChunk[]
  readonly score: number
  readonly coverage: number
  /** Null if the chunk has no vector or none was requested. */
  readonly cosine: number | null
  /** True if the chunk has every word of the question. */
  readonly hasAllWords: boolean
  /** True if the question is the document's title or file name. */
  readonly isNamed: boolean
  /**
   * Weight of the document for this question: less than 1 if it is superseded and a current document covers the same
   * subject.
   */
  readonly worth: number
}

/** Lines count from the start of the document, or from the heading if it is an entry. */
export interface StoredChunk extends Omit<ChunkFacts, 'length'> {
  readonly id: number
}

export interface StoredDocument extends DocumentFacts {
  readonly id: number
  /** Twelve hex digits from collection, path and entry: stable across index rebuilds. */
  readonly key: string
}

/** A chunk without a vector of an embedder. */
export interface UnembeddedChunk extends StoredChunk {
  readonly document: number
  /** 0-based index of the chunk in its document. */
  readonly at: number
  /** Changes when chunks are renumbered. */
  readonly epoch: number
}

/** Documents with searchable content that only time or tags of a scope could distinguish. */
export interface IndexPlace extends Pick<DocumentFacts, 'collection' | 'origin' | 'workspace' | 'project'> {
  readonly documents: number
}

export interface IndexStatus {
  /** Documents with searchable content. */
  readonly documents: number
  readonly chunks: number
  readonly vectors: Readonly<Record<string, number>>
  readonly places: readonly IndexPlace[]
  readonly byCollection: Readonly<Record<string, number>>
  readonly byWorkspace: Readonly<Record<string, number>>
  readonly byOrigin: Readonly<Record<string, number>>
  readonly bytes: number
  /** Incremented on every write. */
  readonly generation: number
}

/** Lets another thread of this process open the same index: the module exports `openWriter`. */
export interface IndexElsewhere {
  readonly module: string
  readonly path: string
}

export type OpenWriter = (path: string) => Pick<SearchIndex, 'write' | 'storeVectors' | 'close'>

/**
 * Documents by words and by meaning. Derived: everything in the index can be rebuilt from the files. Every back end
 * passes test/contract/search-index.contract.ts. Several processes may use one index at once.
 */
export interface SearchIndex {
  /** Undefined if no other thread can access it. */
  readonly elsewhere: IndexElsewhere | undefined
  /** All of the batch or nothing; searches see it as soon as this resolves. */
  write(batch: IndexBatch): Promise<void>
  /**
   * Best first; the order of equal scores depends only on collection and path. Nothing outside the scope is ever
   * returned, and the requested number of hits is returned whenever the scope has enough.
   */
  search(question: IndexQuestion): Promise<readonly IndexHit[]>
  /** The number of chunks, and of chunks that contain each of these terms. */
  frequencies(terms: readonly string[]): Promise<{ readonly chunks: number; of(term: string): number }>
  /**
   * Sorted by path. `like` narrows to a collection, to one file by its path, or to one document by its key; `where` to
   * those it accepts; it is called during reading, so that the others never fill the memory.
   */
  documents(like: {
    readonly collection?: string
    readonly path?: string
    readonly key?: string
    where?(document: StoredDocument): boolean
  }): Promise<readonly StoredDocument[]>
  /**
   * In order of document and chunk, at most `limit` documents, starting with the first whose id is larger than `after`.
   */
  unembedded(embedder: string, limit: number, after?: number): Promise<readonly UnembeddedChunk[]>
  /** Vectors for chunks that were removed, or may have another id by now, are dropped. */
  storeVectors(
    embedder: string,
    vectors: readonly { readonly chunk: number; readonly epoch?: number; readonly vector: QuantizedVector }[],
  ): Promise<void>
  status(): Promise<IndexStatus>
  close(): Promise<void>
}
