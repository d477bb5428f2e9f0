/** A person's vote on an answer; a second vote on it replaces the first. */
export interface Feedback {
  readonly message: string
  readonly chat: string
  readonly user: string
  readonly vote: 'up' | 'down'
  readonly reason: string
  readonly at: string
}

/** A vote, or `none`, which withdraws the previous one. */
export type GivenFeedback = Omit<Feedback, 'vote'> & { readonly vote: Feedback['vote'] | 'none' }

/** A change drafted by Ken; only a person can apply it. */
export interface Draft {
  readonly id: string
  readonly user: string
  readonly project: string
  /** Folder of the context project that the draft would change. */
  readonly folder: string
  readonly kind: DraftKind
  readonly title: string
  /** Text to be written: a rule as a line, a test, decision or question as YAML, a memory as JSON. */
  readonly body: string
  /** Origin of the draft: the downvoted message, or the session that something was learned from. */
  readonly from: { readonly message?: string; readonly chat?: string; readonly session?: string }
  /** Ids of drafts with the same origin. */
  readonly siblings: readonly string[]
  readonly at: string
  /** `where`: the written file, or the reason for dismissing it. */
  readonly settled?: { readonly how: 'applied' | 'dismissed'; readonly at: string; readonly where?: string }
}

export const DRAFT_KINDS = ['rule', 'test', 'memory', 'decision', 'question'] as const
export type DraftKind = (typeof DRAFT_KINDS)[number]

/** Dismissal reason of a draft after its vote was changed. */
export const WITHDRAWN = 'the vote was changed'
