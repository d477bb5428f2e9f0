import type { Origin } from '../../../kernel/domain/origin.ts'

/** One line of `journal/events.jsonl`: what was done, and what every file it touched then contained. Append-only. */
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
  /** SHA-256 of each file after the change; null where it was removed. */
  readonly files: Readonly<Record<string, string | null>>
  /**
   * The events this one was written on top of: one, or several where branches were joined. Missing on the first event
   * of a record.
   */
  readonly after?: readonly string[]
  /**
   * SHA-256 of the exact bytes of every line that no line before this one pins: normally the one line before. So each
   * event vouches for the whole journal under it. Missing on events that were written before journals were chained.
   */
  readonly pins?: readonly string[]
}
