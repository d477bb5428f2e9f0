import type { Retention } from '../domain/retention.ts'

/** What went, by kind; only kinds of which something did. */
export type Expired = Readonly<Record<string, number>>

/** How long things are kept, and the end of what was kept long enough. */
export interface RetentionRules {
  /** The usual where nobody said otherwise. */
  of(organisation: string): Promise<Retention>
  set(organisation: string, retention: Retention, at: string): Promise<void>
  /** Ends what is older than its organisation, or the server, keeps it. May be done by several at once. */
  enforce(now: Date): Promise<Expired>
}
