import type { CompiledTable } from '../core/context-project/manifest.ts'

/** One thing a source has: a table, a page, a file. */
export interface SourceItem {
  /** Stays the same for as long as it is the same thing, however it is called. */
  readonly id: string
  readonly title: string
  /** Where it belongs in the project: a file, or a folder for its documents. Two items may want the same place. */
  readonly path: string
  /** Equal fingerprints mean that fetching again would give the same text. */
  readonly fingerprint: string
  /** After this many days it is fetched again although it looks the same; undefined: never. */
  readonly maxAgeDays: number | undefined
}

export interface SourceListing {
  readonly items: readonly SourceItem[]
  /** What is there but is not taken, each with the reason. */
  readonly skipped: readonly { readonly title: string; readonly reason: string }[]
}

export interface SourceDocument {
  /** A file name in the item's folder; empty when the item is the file. */
  readonly name: string
  readonly text: string
  /** False for copies of files, which stay as they are, without frontmatter. */
  readonly framed: boolean
}

/** A document that a language model is to write from what the source says. */
export interface AskedDocument {
  readonly name: string
  readonly system: string
  readonly prompt: string
  /** The document around the answer of a model. */
  wrap(answer: string, model: string): string
}

export interface FetchedItem {
  readonly documents: readonly SourceDocument[]
  readonly asked?: readonly AskedDocument[]
  readonly table: CompiledTable | undefined
  /** Secrets that the source took out itself, where it cuts its texts. */
  readonly redacted?: number
}

/**
 * Something the context is compiled from. Opened for one build; failures are `unavailable`, and no message holds a
 * secret. Every adapter passes test/contract/source.contract.ts.
 */
export interface Source {
  /**
   * Everything there is now. Throws rather than answering with a part: what is missing in the list is deleted from the
   * tree.
   */
  list(): Promise<SourceListing>
  /** Called for several items at once. */
  fetch(item: SourceItem): Promise<FetchedItem>
  close(): Promise<void>
}
