import type { CompiledTable } from '../domain/context-project/manifest.ts'
import type { SourceRules } from '../domain/context-project/source-rules.ts'
import type { JudgedExample } from '../domain/examples/example.ts'
import type { TableNote } from '../domain/sources/table-notes.ts'

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
  /** Every sync fetches it. */
  readonly always?: boolean
  /** What it is made from, where that changes under an equal fingerprint: the rows of a table. */
  readonly data?: ItemData
  /** What reading it costs at an engine that bills what it reads. */
  readonly billedBytes?: number
}

export interface ItemData {
  /** Equal marks mean the same data; another one means look. Undefined: the source tells nothing without a look. */
  readonly mark: string | undefined
  /** When it last changed, where the source keeps that. */
  readonly changedAt: string | undefined
  /** Milliseconds for which a copy is good enough although the data changed; undefined: always. */
  readonly goodFor: number | undefined
}

export interface SourceListing {
  readonly items: readonly SourceItem[]
  /** What is there but is not taken, each with the reason. */
  readonly skipped: readonly { readonly title: string; readonly reason: string }[]
  /** Examples that were held against what the source has now. */
  readonly examples?: readonly JudgedExample[]
}

export interface SourceDocument {
  /** A file name in the item's folder; empty when the item is the file. */
  readonly name: string
  readonly text: string
  /** False for copies of files, which stay as they are, without frontmatter. */
  readonly framed: boolean
}

/** A document that a language model is to write from what the source says. */
export interface ModelDocument {
  readonly name: string
  readonly system: string
  readonly prompt: string
  /** The document around the answer of a model. */
  wrap(answer: string, model: string): string
}

export interface FetchedItem {
  readonly documents: readonly SourceDocument[]
  readonly modelDocuments?: readonly ModelDocument[]
  readonly table: CompiledTable | undefined
  /** Secrets that the source took out itself, where it cuts its texts. */
  readonly redacted?: number
  /** It says less than it could: the time for profiling was spent. */
  readonly unprofiled?: boolean
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
  /** Facts of the data of one item, asked when its mark is another one: equal ones mean the same data. */
  look?(item: SourceItem): Promise<string | undefined>
  /** What fetching has taken so far: whether the time for it is spent, and the bytes that an engine bills. */
  used?(): { readonly isSpent: boolean; readonly billedBytes: number }
  close(): Promise<void>
}

/** What a source is opened with. Paths and addresses that its `reach` does not name are refused here. */
export interface SourceParts {
  /** The folder of the project, links followed. */
  readonly root: string
  /** A folder of this project outside of it, for clones. */
  readonly cache: string
  /** Where a path of the entry lies. Throws `forbidden` for one that `reach` does not name. */
  path(given: string): string
  /** An address of the entry. Throws `forbidden` for one that `reach` does not name. */
  address(given: string): string
}

/**
 * A kind of source, defined whole in its folder: its part of ken.yaml, what trust and redaction must know, and how to
 * open it. Loading a definition loads nothing that opening needs.
 */
export interface SourceDefinition<Entry = unknown> extends SourceRules<Entry> {
  /** References of the entry to the environment are filled, and the user trusts what it reaches. */
  open(entry: Entry, parts: SourceParts): Promise<Source>
  /** What it says about tables of databases, for their documents; left out where it says nothing of them. */
  describeTables?(entry: Entry, parts: SourceParts): Promise<readonly TableNote[]>
}

/** What is missing does not compile: entries of a list have names, and a secret must be a field of the entry. */
export const defineSource = <Entry>(
  definition: SourceDefinition<Entry> & {
    readonly entries: Entry extends { readonly name: string } ? 'list' | 'list or one' : 'one'
    readonly secrets: readonly (keyof Entry & string)[]
  },
): SourceDefinition<Entry> => definition
