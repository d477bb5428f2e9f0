import type { Retention } from '../domain/retention.ts'

/** Number of deleted items by kind; only kinds with at least one. */
export type Expired = Readonly<Record<string, number>>

/** Retention periods, and the deletion of expired data. */
export interface RetentionRules {
  /** The defaults unless configured otherwise. */
  of(organisation: string): Promise<Retention>
  set(organisation: string, retention: Retention, at: string): Promise<void>
  /** Deletes data older than its organisation's or the server's retention. Safe to run concurrently. */
  enforce(now: Date): Promise<Expired>
}
