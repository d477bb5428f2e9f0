import type { Draft, DraftKind, Feedback, GivenFeedback } from '../domain/feedback/feedback.ts'

/** Votes on answers, and the drafts they caused. Every back end passes test/contract/feedback.contract.ts. */
export interface FeedbackBox {
  /**
   * Stores a vote with its drafts, all or none; the vote replaces an earlier one on the same message, and pending
   * drafts of that message are dismissed. A vote of `none` removes the vote. Throws `conflict` for an existing draft.
   */
  give(feedback: GivenFeedback, drafts: readonly Draft[]): Promise<void>
  /** Lists votes, newest first. */
  votes(query: {
    readonly chat?: string
    readonly message?: string
    readonly user?: string
    readonly limit: number
  }): Promise<readonly Feedback[]>
  /** Stores drafts without a vote. */
  draft(drafts: readonly Draft[]): Promise<void>
  /** A draft; undefined if it belongs to another user. */
  find(id: string, user: string): Promise<Draft | undefined>
  /** Lists drafts, newest first; pending ones unless `settled`. */
  inbox(query: {
    readonly user: string
    readonly project?: string
    readonly kind?: DraftKind
    readonly settled?: boolean
  }): Promise<readonly Draft[]>
  /** Settles a draft. Throws `conflict` if already settled, `not_found` if missing. */
  settle(id: string, settled: NonNullable<Draft['settled']>): Promise<void>
  /** Edits a draft. Throws `conflict` if settled, `not_found` if missing. */
  edit(id: string, change: Pick<Draft, 'title' | 'body'>): Promise<void>
  /** Makes a draft pending again. Throws `not_found` if missing. */
  reopen(id: string): Promise<void>
}
