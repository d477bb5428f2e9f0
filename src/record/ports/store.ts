import type { Origin } from '../../kernel/domain/origin.ts'
import type { ProjectRef } from '../../kernel/ports/projects.ts'
import type { Verdict } from '../../retrieval/domain/ranking/verdict.ts'
import type { AsOf } from '../domain/as-of.ts'
import type { Catalogue, CatalogueEntry } from '../domain/decision/catalogue.ts'
import type { JournalEvent } from '../domain/journal/event.ts'
import type { JournalLine } from '../domain/journal/journal-lines.ts'
import type { Snapshot, SnapshotInfo } from '../domain/snapshot/snapshot.ts'

export interface RankQuery {
  /** Text for the word search. */
  readonly text: string
  /** Text for the search by meaning; defaults to `text`. */
  readonly meaning?: string
  readonly limit: number
  /** Decisions to rank among; never includes the seed decision if `check` is set. */
  readonly among: 'active' | 'all'
  /** Adds the stop word "use" and excludes the seed decision, as the check does. */
  readonly check: boolean
  /** Searches by words only, which needs no model and returns immediately. */
  readonly byWords?: boolean
  /** Keeps only entries it accepts; applied before the cut. Frequencies are still those of the whole corpus. */
  readonly where?: (entry: CatalogueEntry) => boolean
  /** Stems of decisions to rank regardless of rank and `where`; returned as `named`. */
  readonly named?: ReadonlySet<string>
  /** Number of superseded decisions to rank in addition to active ones; returned as `superseded`. None if undefined. */
  readonly superseded?: number
}

export interface RankedDecision {
  readonly entry: CatalogueEntry
  /** BM25, rounded to three decimals; 0 for a decision that shares no word with the text. */
  readonly score: number
  /** The share of the query's weight that the decision covers, 0 to 1. */
  readonly coverage: number
  /** Cosine to the query, on the scale of the bundled model; null if no embedder ran. */
  readonly cosine: number | null
  /** Distance above the line at which "related" begins in this record; the coverage if no embedder ran. */
  readonly relevance: number
  readonly verdict: Verdict
}

export interface SupersededDecision extends RankedDecision {
  /** Successors of the decision, the direct one first. */
  readonly successors: readonly RankedDecision[]
}

export interface Ranking {
  /**
   * Sorted by verdict, then by relevance, with verdict `none` last. Without the stage `semantic`: BM25 hits in their
   * order, then those found only by a reason or another name.
   */
  readonly hits: readonly RankedDecision[]
  readonly named: readonly RankedDecision[]
  /** In the order of `hits`. */
  readonly superseded: readonly SupersededDecision[]
  readonly stages: readonly ('lexical' | 'reasons' | 'semantic')[]
}

/** A change in preparation. Invisible to others until `commit` returns. */
export interface Draft {
  /** The text including this change; undefined if there is no such file. */
  read(path: string): Promise<string | undefined>
  /** The decisions at the start of the change; stable, because this change has the lock. */
  catalogue(): Promise<Catalogue>
  write(path: string, text: string): void
  remove(path: string): void
  /** Names the change in the journal. At most once; a change with files and no note is journalled as `edit`. */
  note(operation: string, facts: Readonly<Record<string, unknown>>): void
  /** Captures the record as it is after this change. */
  snapshot(trigger: string, detail?: string): void
  /**
   * Merges lines from another machine's journal of this record into this one: each occurs once, byte for byte, in an
   * order determined by the lines alone. The event of this change follows all of them; it is omitted if they end in one
   * line, cover every resulting file and no note is given. Broken lines throw `invalid_input` and change nothing.
   */
  take(lines: readonly string[]): void
}

export interface SnapshotStore {
  /** Oldest first; damaged snapshots are left out and reported by doctor. */
  list(): Promise<readonly SnapshotInfo[]>
  read(version: number): Promise<Snapshot | undefined>
}

/**
 * The record of one project. Every back end passes test/contract/store.contract.ts. Paths are relative, with forward
 * slashes; a path that leaves the record or passes through a symbolic link throws `forbidden`.
 */
export interface Store {
  readonly project: ProjectRef
  readonly snapshots: SnapshotStore
  readonly care: RecordCare
  readonly history: RecordHistory
  /** Set if this is the record as of a past moment, which is read-only. */
  readonly asOf?: AsOf
  /**
   * All decisions without their text, each with its current trust from the journal. Unchanged files are not parsed
   * again.
   */
  catalogue(): Promise<Catalogue>
  rank(query: RankQuery): Promise<Ranking>
  /** The text with \n line ends; undefined if there is no such file. Throws `damaged` if it is not UTF-8. */
  read(path: string): Promise<string | undefined>
  /** Every Markdown record file: those at the root, then decisions/, then context/; each sorted. */
  list(): Promise<readonly string[]>
  /**
   * Runs `work` under the store's lock, then applies all of its changes or none, durably: once this returns they
   * survive a power cut. Rethrows what `work` throws, with nothing changed. Throws `unavailable` if the lock is not
   * free in time.
   */
  commit<T>(origin: Origin, work: (draft: Draft) => Promise<T>): Promise<T>
  /** Oldest first; unreadable lines are skipped. */
  journal(): Promise<readonly JournalEvent[]>
  /**
   * Compares every byte with the journal. A record that was never journalled has no discrepancies; its first change
   * adopts it unchanged (`adopt`). In mode `repo` an older journalled state of a file is accepted if git has checked it
   * out.
   */
  verify(): Promise<readonly Discrepancy[]>
  close(): Promise<void>
}

/** Maintenance of a record's bytes: the basis of verify, repair, accept and redact. */
export interface RecordCare {
  /** The result of `verify`, with further notes for its reader. */
  inspect(): Promise<Inspection>
  /** The last journalled text of a file, if a snapshot or git still has exactly that text. */
  lastKnown(path: string): Promise<KeptText | undefined>
  /** Where to look if exactly that text is gone: the newest snapshot that has the file at all. */
  newestSnapshot(path: string): Promise<number | undefined>
  /**
   * Applies `change` to every text of the record, past and present: files, journal, snapshots. Rebuilds hashes, chain
   * and heads, and adds a journal event. Applied completely or not at all. No derived data keeps an old text.
   */
  rewrite(origin: Origin, rewriting: Rewriting): Promise<Rewritten>
  /** Passes every text that `rewrite` would change to `look`, once each, with its file. */
  readThrough(look: (text: string, path: string) => Promise<void>): Promise<void>
  /** Every byte kept for this record, in the record and beside it, as texts to search. */
  everything(): AsyncIterable<{ readonly path: string; readonly text: string }>
}

/** Available parts of earlier states, for rebuilding one of them. */
export interface RecordHistory {
  /**
   * The past texts of files, by the SHA-256 in the journal; one path may request several of its states. Returns only
   * texts with exactly that hash, from the record, a snapshot or git; others are left out. Git is not used for texts
   * from before a redaction: it may still contain the redacted text. `near`: their time in milliseconds; only a hint
   * for where to search first.
   */
  texts(wanted: ReadonlyMap<string, string>, near?: number): Promise<ReadonlyMap<string, string>>
  /** Ids of the events in the journal of a commit; undefined if git does not have the record in that commit. */
  eventsIn(commit: string): Promise<ReadonlySet<string> | undefined>
  /**
   * The journal line by line, byte for byte, including lines that are not events, so that another machine can check it.
   */
  lines(): Promise<readonly JournalLine[]>
}

export interface Discrepancy {
  readonly path: string
  readonly kind: 'edited' | 'missing' | 'unknown' | 'damaged'
  readonly message: string
  /** Hashes of the lines that the discrepancy concerns; a journalled `accept` that writes them off settles it. */
  readonly about?: readonly string[]
}

export interface Inspection {
  readonly discrepancies: readonly Discrepancy[]
  readonly notes: readonly string[]
}

export interface KeptText {
  readonly text: string
  /** Source of the text, for display: `v012`, or a git commit. */
  readonly holder: string
}

export interface Rewriting {
  readonly operation: string
  readonly facts: Readonly<Record<string, unknown>>
  /** Returns the new text of a piece of text, or the same text if nothing changes. `path` is its location. */
  change(text: string, path: string): Promise<string>
  /** Returns the new name of a file. */
  rename(path: string): string
}

export interface Rewritten {
  /** Files that were rewritten. */
  readonly files: readonly string[]
  /** Number of snapshots left out because they could not be read. */
  readonly dropped: number
}
