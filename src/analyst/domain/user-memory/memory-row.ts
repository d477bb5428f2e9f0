/** In the order in which they are put before a model. */
export const MEMORY_CATEGORIES = ['global_rule', 'personal_fact'] as const
export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number]

/** An instruction of the user's that holds from now on, or a fact about them, with the words that they said it in. */
export interface MemoryRow {
  readonly id: string
  readonly user: string
  /** Undefined: it holds in all of the user's projects. */
  readonly project?: string
  readonly category: MemoryCategory
  readonly content: string
  readonly evidence: MemoryEvidence
  readonly createdAt: string
  readonly updatedAt: string
  /** The row that holds instead of this one. */
  readonly supersededBy?: string
  readonly forgottenAt?: string
}

/** Where it was learned. The words are the user's own, copied. */
export interface MemoryEvidence {
  readonly words: string
  readonly chat?: string
  readonly message?: string
  /** A harvested session, or the client through which an agent wrote it. */
  readonly source?: string
}
