import type { CompiledTable } from '../domain/context-project/manifest.ts'
import type { SourceRules } from '../domain/context-project/source-rules.ts'
import type { JudgedExample } from '../domain/examples/example.ts'
import type { TableNote } from '../domain/sources/table-notes.ts'
import type { IndexedColumn } from '../domain/values/value-index.ts'

/** One item of a source: a table, a page, a file. */
export interface SourceItem {
  /** Stable for the same item, even if it is renamed. */
  readonly id: string
  readonly title: string
  /** Path in the project: a file, or a folder for its documents. Two items may request the same path. */
  readonly path: string
  /** If fingerprints are equal, fetching again would return the same text. */
  readonly fingerprint: string
  /** Fetched again after this many days even if unchanged; undefined means never. */
  readonly maxAgeDays: number | undefined
  /** Fetched by every sync. */
  readonly always?: boolean
  /** Underlying data, if it can change under an equal fingerprint: the rows of a table. */
  readonly data?: ItemData
  /** Cost of reading the item, for an engine that bills reads. */
  readonly billedBytes?: number
}

export interface ItemData {
  /**
   * Equal marks mean the same data; a different one requires `look`. Undefined if the source reports nothing without
   * it.
   */
  readonly mark: string | undefined
  /** When it last changed, if the source records it. */
  readonly changedAt: string | undefined
  /** Milliseconds for which a copy may be used although the data changed; undefined means always. */
  readonly goodFor: number | undefined
}

export interface SourceListing {
  readonly items: readonly SourceItem[]
  /** Existing items that are skipped, each with the reason. */
  readonly skipped: readonly { readonly title: string; readonly reason: string }[]
  /** Examples checked against the current source. */
  readonly examples?: readonly JudgedExample[]
}

export interface SourceDocument {
  /** File name in the item's folder; empty if the item is the file. */
  readonly name: string
  readonly text: string
  /** False for copied files, which stay unchanged, without frontmatter. */
  readonly framed: boolean
}

/** Document that a language model is to write from the source's facts. */
export interface ModelDocument {
  readonly name: string
  readonly system: string
  readonly prompt: string
  /** Builds the document around a model's answer. */
  wrap(answer: string, model: string): string
}

export interface FetchedItem {
  readonly documents: readonly SourceDocument[]
  readonly modelDocuments?: readonly ModelDocument[]
  readonly table: CompiledTable | undefined
  /** Values of the table's columns, stored on this machine only. */
  readonly indexed?: readonly IndexedColumn[]
  /** Secrets that the source itself redacted, if it cuts its texts. */
  readonly redacted?: number
  /** Incomplete because the time for profiling was used up. */
  readonly unprofiled?: boolean
}

/**
 * Source the context is compiled from. Opened for one build; failures are `unavailable`, and no message contains a
 * secret. Every adapter passes test/contract/source.contract.ts.
 */
export interface Source {
  /** All current items. Throws rather than returning a part: items missing from the list are deleted from the tree. */
  list(): Promise<SourceListing>
  /** Called concurrently for several items. */
  fetch(item: SourceItem): Promise<FetchedItem>
  /** Facts about one item's data, requested if its mark differs: equal facts mean the same data. */
  look?(item: SourceItem): Promise<string | undefined>
  /** Usage so far: whether the time is used up, and the bytes that an engine bills. */
  used?(): { readonly isSpent: boolean; readonly billedBytes: number }
  close(): Promise<void>
}

/** Dependencies of a source. Rejects paths and addresses that its `reach` does not name. */
export interface SourceParts {
  /** Project folder, with links resolved. */
  readonly root: string
  /** Folder for this project's clones, outside of it. */
  readonly cache: string
  /** Resolves a path of the entry. Throws `forbidden` for one that `reach` does not name. */
  path(given: string): string
  /** Resolves an address of the entry. Throws `forbidden` for one that `reach` does not name. */
  address(given: string): string
}

/**
 * Kind of source, fully defined in its folder: its part of ken.yaml, the facts that trust and redaction need, and how
 * to open it. Loading a definition loads nothing that opening needs.
 */
export interface SourceDefinition<Entry = unknown> extends SourceRules<Entry> {
  /** The entry's environment references are resolved, and the user trusts its reach. */
  open(entry: Entry, parts: SourceParts): Promise<Source>
  /** Its descriptions of database tables, for their documents; omitted if it has none. */
  describeTables?(entry: Entry, parts: SourceParts): Promise<readonly TableNote[]>
}

/** Missing parts cause a compile error: entries of a list have names, and a secret must be a field of the entry. */
export const defineSource = <Entry>(
  definition: SourceDefinition<Entry> & {
    readonly entries: Entry extends { readonly name: string } ? 'list' | 'list or one' : 'one'
    readonly secrets: readonly (keyof Entry & string)[]
  },
): SourceDefinition<Entry> => definition
