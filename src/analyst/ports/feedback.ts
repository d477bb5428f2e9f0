import type { Draft, DraftKind, Feedback, GivenFeedback } from '../domain/feedback/feedback.ts'

/**
 * Votes on answers, and what was drafted because of them. Every back end passes test/contract/feedback.contract.ts.
 */
export interface FeedbackBox {
  /**
   * With the drafts that it gave rise to, all or none; the vote replaces an earlier one on the same message, and the
   * drafts of that message that still wait are dismissed with it. A vote of `none` leaves no vote. Throws `conflict` for a draft that there is already.
   */
  give(feedback: GivenFeedback, drafts: readonly Draft[]): Promise<void>
  /** The newest first. */
  votes(query: {
    readonly chat?: string
    readonly message?: string
    readonly user?: string
    readonly limit: number
  }): Promise<readonly Feedback[]>
  /** Drafts that came of something else than a vote. */
  draft(drafts: readonly Draft[]): Promise<void>
  /** A draft; undefined for that of another user. */
  find(id: string, user: string): Promise<Draft | undefined>
  /** The newest first; those that wait unless `settled`. */
  inbox(query: {
    readonly user: string
    readonly project?: string
    readonly kind?: DraftKind
    readonly settled?: boolean
  }): Promise<readonly Draft[]>
  /** Throws `conflict` for one that is settled already, `not_found` without one. */
  settle(id: string, settled: NonNullable<Draft['settled']>): Promise<void>
  /** Throws `conflict` for one that is settled, `not_found` without one. */
  edit(id: string, change: Pick<Draft, 'title' | 'body'>): Promise<void>
  /** It waits again. Throws `not_found` without one. */
  reopen(id: string): Promise<void>
}
