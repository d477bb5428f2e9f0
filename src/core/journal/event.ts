/** Who did it, through what. Text from clients is cut and freed of control characters before it gets here. */
export interface Origin {
  readonly surface: 'cli' | 'app' | 'mcp-stdio' | 'mcp-http' | 'http' | 'merge' | 'repair' | 'import' | 'recovery'
  readonly client?: string
  readonly client_version?: string
  readonly session?: string
  readonly user?: string
}

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

/** At a terminal or a page of the app somebody sees what is done; all others are programs. */
export const isPerson = ({ surface }: Pick<Origin, 'surface'>): boolean => surface === 'cli' || surface === 'app'

const LONGEST = 256

export const cleanOriginText = (text: string): string => text.replace(/\p{Cc}/gu, '').slice(0, LONGEST)
