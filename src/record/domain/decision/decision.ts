/** A decision as parsed from its file. Field names are those of the file format, so that it can be passed on as is. */
export interface Decision {
  readonly date: string
  readonly confidence: Confidence
  readonly version: number
  readonly status: Status
  readonly decision_type: DecisionType | null
  readonly reversibility: Reversibility | null
  readonly source: DecisionSource | null
  readonly files_affected: readonly string[]
  readonly supersedes: string | null
  readonly superseded_by: string | null
  readonly rejected: readonly RejectedAlternative[]
  /** From the file name, not from the heading; 0 if the file name has no number. */
  readonly num: number
  readonly title: string
  readonly rationale: string
  /**
   * `body` is everything after the frontmatter, `content` the whole file; both empty for a decision not read from a
   * file.
   */
  readonly body: string
  readonly content: string
}

export interface RejectedAlternative {
  readonly name: string
  /** Null only on superseded decisions. */
  readonly reason: string | null
}

export const CONFIDENCES = ['high', 'medium', 'low'] as const
export const STATUSES = ['active', 'superseded'] as const
export const DECISION_TYPES = [
  'architecture',
  'api_design',
  'infrastructure',
  'pattern',
  'refactor',
  'data_model',
] as const
export const REVERSIBILITIES = ['easy', 'moderate', 'hard'] as const
export const SOURCES = ['mcp', 'commit', 'compaction', 'manual', 'import'] as const

export type Confidence = (typeof CONFIDENCES)[number]
export type Status = (typeof STATUSES)[number]
export type DecisionType = (typeof DECISION_TYPES)[number]
export type Reversibility = (typeof REVERSIBILITIES)[number]
export type DecisionSource = (typeof SOURCES)[number]

/** The ten frontmatter keys in the order they are written. */
export const FRONTMATTER_KEYS = [
  'date',
  'version',
  'status',
  'confidence',
  'decision_type',
  'reversibility',
  'source',
  'files_affected',
  'supersedes',
  'superseded_by',
] as const

/** Names of derived fields: in a frontmatter they would contradict the file name, the heading or the body. */
export const RESERVED_KEYS = ['num', 'title', 'rationale', 'body', 'content', 'rejected'] as const

export const SEED_TITLE = 'Initial project setup'

/** The entry written by `ken init`; it is bookkeeping and never blocks a proposal. */
export const isSeed = (decision: { num: number; title: string }): boolean =>
  decision.num === 1 && decision.title === SEED_TITLE

export const label = (num: number): string => `D${String(num).padStart(3, '0')}`
