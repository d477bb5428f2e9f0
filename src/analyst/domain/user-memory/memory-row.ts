/** Categories in prompt order. */
export const MEMORY_CATEGORIES = ['global_rule', 'personal_fact'] as const
export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number]

/** A standing instruction of the user, or a fact about them, with their original words. */
export interface MemoryRow {
  readonly id: string
  readonly user: string
  /** Undefined if the row applies to all of the user's projects. */
  readonly project?: string
  readonly category: MemoryCategory
  readonly content: string
  readonly evidence: MemoryEvidence
  readonly createdAt: string
  readonly updatedAt: string
  /** The row that replaces this one. */
  readonly supersededBy?: string
  readonly forgottenAt?: string
}

/** Origin of a memory. The words are copied from the user. */
export interface MemoryEvidence {
  readonly words: string
  readonly chat?: string
  readonly message?: string
  /** A harvested session, or the client through which an agent wrote it. */
  readonly source?: string
}
