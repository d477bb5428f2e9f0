/** What a person thought of an answer; a second vote on it replaces the first. */
export interface Feedback {
  readonly message: string
  readonly chat: string
  readonly user: string
  readonly vote: 'up' | 'down'
  readonly reason: string
  readonly at: string
}

/** A vote, or `none`: what was said before is taken back. */
export type GivenFeedback = Omit<Feedback, 'vote'> & { readonly vote: Feedback['vote'] | 'none' }

/** Something that Ken drafted and only a person puts into effect. */
export interface Draft {
  readonly id: string
  readonly user: string
  readonly project: string
  /** The folder of the context project that it would change. */
  readonly folder: string
  readonly kind: DraftKind
  readonly title: string
  /** What would be written: a rule as a line, a test as YAML, a memory as JSON. */
  readonly body: string
  /** Why there is one: the downvoted message, or the session that something was learned from. */
  readonly from: { readonly message?: string; readonly chat?: string; readonly session?: string }
  /** The drafts that came of the same thing. */
  readonly siblings: readonly string[]
  readonly at: string
  /** `where`: what was written, or why it was dismissed. */
  readonly settled?: { readonly how: 'applied' | 'dismissed'; readonly at: string; readonly where?: string }
}

export const DRAFT_KINDS = ['rule', 'test', 'memory'] as const
export type DraftKind = (typeof DRAFT_KINDS)[number]

/** Of a draft whose vote was changed. */
export const WITHDRAWN = 'the vote was changed'
