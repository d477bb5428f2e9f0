import type { Origin } from '../../../kernel/domain/origin.ts'

/** One line of `journal/events.jsonl`: the operation, and each file's content after it. Append-only. */
export interface JournalEvent {
  readonly event_version: 1
  readonly id: string
  readonly at: string
  readonly operation: string
  readonly origin: Origin
  /**
   * Free facts about the change: decision ids, resolved questions, the repository's HEAD, unknown keys that were moved
   * here.
   */
  readonly facts: Readonly<Record<string, unknown>>
  /** SHA-256 of each file after the change; null if it was removed. */
  readonly files: Readonly<Record<string, string | null>>
  /** Ids of the parent events: one, or several if branches were merged. Missing on the first event of a record. */
  readonly after?: readonly string[]
  /**
   * SHA-256 of the exact bytes of every line not pinned before this one: normally only the previous line. Each event
   * thus covers the whole journal before it. Missing on events written before journals were chained.
   */
  readonly pins?: readonly string[]
}
