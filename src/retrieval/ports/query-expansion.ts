import type { StopSignal } from '../../kernel/domain/stop.ts'

/** Says a query in other words. */
export interface QueryExpansion {
  readonly id: string
  /** One to four other wordings. Throws `unavailable` when there are none to be had, and when the signal stops it. */
  expand(query: string, signal: StopSignal): Promise<readonly string[]>
  close(): Promise<void>
}
