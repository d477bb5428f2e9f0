import type { Catalogue, CatalogueEntry } from '../core/decision/catalogue.ts'
import type { JournalEvent, Origin } from '../core/journal/event.ts'
import type { JournalLine } from '../core/journal/journal-lines.ts'
import type { Verdict } from '../core/ranking/verdict.ts'
import type { AsOf } from '../core/record/as-of.ts'
import type { Snapshot, SnapshotInfo } from '../core/snapshot/snapshot.ts'

export interface ProjectRef {
  readonly id: string
  readonly name: string
  readonly mode: 'local' | 'repo' | 'cloud'
  /** Where the record lies, for people to read. */
  readonly location: string
  /**
   * True while the record came with a clone that nobody here has looked at: what it says is third-party text until `ken
   * trust`.
   */
  readonly fromClone?: boolean
  /** The team that it is shared with; only in mode `cloud`. */
  readonly team?: { readonly server: string; readonly person: string }
}

export interface RankQuery {
  /** Its words are looked for. */
  readonly text: string
  /** Its meaning is looked for; the same text where nothing else is given. */
  readonly meaning?: string
  readonly limit: number
  /** Decisions to rank among; the seed decision is never one of them when `check` is set. */
  readonly among: 'active' | 'all'
  /** Adds the stop word "use" and leaves the seed decision out, as the check does. */
  readonly check: boolean
  /** Finds by words alone, which needs no model and answers at once. */
  readonly byWords?: boolean
  /** Keeps only entries it accepts; applied before the cut. Frequencies are still those of the whole corpus. */
  readonly where?: (entry: CatalogueEntry) => boolean
  /** Stems of decisions to weigh whatever their rank and `where`; returned as `named`. */
  readonly named?: ReadonlySet<string>
  /** Superseded decisions to rank beside active ones; returned as `superseded`. None if undefined. */
  readonly superseded?: number
}

export interface RankedDecision {
  readonly entry: CatalogueEntry
  /** BM25, rounded to three decimals; 0 for a decision that shares no word with the text. */
  readonly score: number
  /** The part of the query's weight that the decision covers, 0 to 1. */
  readonly coverage: number
  /** Cosine to the query, on the scale of the bundled model; null when no embedder ran. */
  readonly cosine: number | null
  /** How far it is above the line at which "related" begins in this record; the coverage when no embedder ran. */
  readonly relevance: number
  readonly verdict: Verdict
}

export interface SupersededDecision extends RankedDecision {
  /** Those that came after it, the direct successor first. */
  readonly successors: readonly RankedDecision[]
}

export interface Ranking {
  /**
   * By verdict, then by relevance, those with verdict `none` last. Without the stage `semantic`: BM25 hits in their
   * order, then what only a reason or another name brought up.
   */
  readonly hits: readonly RankedDecision[]
  readonly named: readonly RankedDecision[]
  /** In the order of `hits`. */
  readonly superseded: readonly SupersededDecision[]
  readonly stages: readonly ('lexical' | 'reasons' | 'semantic')[]
}

/** A change being put together. Nothing is visible to anyone else until `commit` returns. */
export interface Draft {
  /** The text as this change leaves it; undefined when there is no such file. */
  read(path: string): Promise<string | undefined>
  /** The decisions as they were when the change began; stable, because the lock is held. */
  catalogue(): Promise<Catalogue>
  write(path: string, text: string): void
  remove(path: string): void
  /** Names the change in the journal. At most once; a change with files and no note is journalled as `edit`. */
  note(operation: string, facts: Readonly<Record<string, unknown>>): void
  /** Captures the record as this change leaves it. */
  snapshot(trigger: string, detail?: string): void
  /**
   * Takes lines of another machine's journal of this record into its own: each stands there once, byte for byte, in an
   * order that only the lines decide. The event of this change stands on all of them; where they end in one line, vouch
   * for every file it leaves and no note is given, there is no such event. Broken lines throw `invalid_input`, and
   * nothing has changed.
   */
  take(lines: readonly string[]): void
}

export interface SnapshotShelf {
  /** Oldest first; damaged ones are left out and reported by doctor. */
  list(): Promise<readonly SnapshotInfo[]>
  read(version: number): Promise<Snapshot | undefined>
}

/**
 * The record of one project. Every back end passes test/contract/store.contract.ts. Paths are relative, with forward
 * slashes; one that leaves the record, or goes through a symbolic link, throws `forbidden`.
 */
export interface Store {
  readonly project: ProjectRef
  readonly snapshots: SnapshotShelf
  readonly care: RecordCare
  readonly history: RecordHistory
  /** Set where this is the record as it was at a moment of the past: then it can only be read. */
  readonly asOf?: AsOf
  /**
   * All decisions without their text, each with the trust that the journal gives it now. A file that did not change is
   * not parsed again.
   */
  catalogue(): Promise<Catalogue>
  rank(query: RankQuery): Promise<Ranking>
  /** The text with \n line ends; undefined when there is no such file. Throws `damaged` when it is not UTF-8. */
  read(path: string): Promise<string | undefined>
  /** Every Markdown file of the record: those at the root, then decisions/, then context/; each sorted. */
  list(): Promise<readonly string[]>
  /**
   * Runs `work` under the store's lock, then lands all of its changes or none, durably: once this returns they survive
   * a power cut. What `work` throws is thrown on and nothing has changed. Throws `unavailable` when the lock is not
   * free in time.
   */
  commit<T>(origin: Origin, work: (draft: Draft) => Promise<T>): Promise<T>
  /** Oldest first; unreadable lines are skipped. */
  journal(): Promise<readonly JournalEvent[]>
  /**
   * Compares every byte with the journal. A record that was never journalled agrees with everything; its first change
   * takes it over as it is (`adopt`). In mode `repo` an older state that the journal knows of a file will do where git
   * has checked it out.
   */
  verify(): Promise<readonly Discrepancy[]>
  close(): Promise<void>
}

/** Looking after the bytes of a record: what verify, repair, accept and redact are made of. */
export interface RecordCare {
  /** What `verify` answers, and what a reader of it should know besides. */
  inspect(): Promise<Inspection>
  /** The text that the journal last knew of a file, where a snapshot or git still holds exactly that one. */
  lastKnown(path: string): Promise<KeptText | undefined>
  /** Says where to look when exactly that text is nowhere: the newest snapshot that has the file at all. */
  newestSnapshot(path: string): Promise<number | undefined>
  /**
   * Puts every text that the record keeps through `change`: files, journal, snapshots; also those of the past. Hashes,
   * chain and heads are rebuilt, and a journal event says that it happened. All of it lands or nothing. Nothing
   * derived keeps an old text.
   */
  rewrite(origin: Origin, rewriting: Rewriting): Promise<Rewritten>
  /** Shows every text that `rewrite` would change, once each, with the file it stands in. */
  readThrough(look: (text: string, path: string) => Promise<void>): Promise<void>
  /** Every byte that is kept for this record, in the record and beside it, as texts to look through. */
  everything(): AsyncIterable<{ readonly path: string; readonly text: string }>
}

/** What is still known of earlier states, for whoever builds one of them again. */
export interface RecordHistory {
  /**
   * The texts that files had, by the SHA-256 that the journal gives each; the same path may ask for any of its states.
   * Only a text with exactly that hash is given, from the record itself, a snapshot or git; what none of them holds is
   * left out. Git is not asked for what was there before a redaction: it may still hold what the record gave up.
   * `near`: when they were there, in milliseconds; it only says where to look first.
   */
  texts(wanted: ReadonlyMap<string, string>, near?: number): Promise<ReadonlyMap<string, string>>
  /** Ids of the events in the journal of a commit; undefined where git does not carry the record in that commit. */
  eventsIn(commit: string): Promise<ReadonlySet<string> | undefined>
  /** The journal line by line, byte for byte, also what is no event: what another machine must have to check it. */
  lines(): Promise<readonly JournalLine[]>
}

export interface Discrepancy {
  readonly path: string
  readonly kind: 'edited' | 'missing' | 'unknown' | 'damaged'
  readonly message: string
  /** Hashes of lines that it is about; a journalled `accept` that gives them up settles it. */
  readonly about?: readonly string[]
}

export interface Inspection {
  readonly discrepancies: readonly Discrepancy[]
  readonly notes: readonly string[]
}

export interface KeptText {
  readonly text: string
  /** Who holds it, for people: `v012`, or a commit of git. */
  readonly holder: string
}

export interface Rewriting {
  readonly operation: string
  readonly facts: Readonly<Record<string, unknown>>
  /** The new text of a piece of text; the same when nothing is to change. `path` says where it stands. */
  change(text: string, path: string): Promise<string>
  /** The new name of a file. */
  rename(path: string): string
}

export interface Rewritten {
  /** Files that were written anew. */
  readonly files: readonly string[]
  /** Snapshots that could not be read and were therefore left out. */
  readonly dropped: number
}
