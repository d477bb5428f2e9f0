import type { StopSignal } from '../../kernel/domain/stop.ts'

/** Rephrases a query. */
export interface QueryExpansion {
  readonly id: string
  /** One to four other wordings. Throws `unavailable` if none can be obtained, and if the signal stops it. */
  expand(query: string, signal: StopSignal): Promise<readonly string[]>
  close(): Promise<void>
}
