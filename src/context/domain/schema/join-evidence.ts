import type { InferredJoin } from './infer-joins.ts'

/** Evidence for a join from the rows of both sides. */
export interface JoinEvidence {
  /** Number of distinct values on the referring side, and how many of them the other side has. */
  readonly values: number
  readonly found: number
  /** Whether each value occurs in one row only, on either side. */
  readonly isUniqueFrom: boolean
  readonly isUniqueTo: boolean
}

/** A join with its evidence; `evidence` is undefined if no rows were read. */
export interface MeasuredJoin extends InferredJoin {
  readonly evidence?: JoinEvidence | undefined
}

const FEW = 5
const LEAST_FOUND = { name: 0.5, key: 0.5, shared: 0.5, alike: 0.95 }

/** Whether rows confirm a join. Without rows, a key's name is accepted, and a mere similarity is not. */
export function isBelieved({ why, evidence }: MeasuredJoin): boolean {
  if (evidence === undefined || evidence.values === 0) return why !== 'alike'
  const share = evidence.found / evidence.values
  if (why === 'alike') return evidence.isUniqueTo && share >= LEAST_FOUND.alike && evidence.values >= FEW
  if (why === 'key' && !evidence.isUniqueTo) return false
  return evidence.values < FEW ? evidence.found > 0 : share >= LEAST_FOUND[why]
}

/** Reverses a join, so that it refers to the side with unique values. */
export const turned = ({ from, column, to, referenced, why }: InferredJoin): InferredJoin => ({
  from: to,
  column: referenced,
  to: from,
  referenced: column,
  why,
})

/** `n:1`, as far as rows show. */
function cardinalityOf(evidence: JoinEvidence | undefined): string | undefined {
  if (evidence === undefined || evidence.values === 0) return undefined
  return `${evidence.isUniqueFrom ? '1' : 'n'}:${evidence.isUniqueTo ? '1' : 'n'}`
}

const WHY = {
  name: 'by name',
  key: 'same name as the key',
  shared: 'same name in both',
  alike: 'by likeness',
} as const

/** Why a join is accepted, in a few words. */
export function evidenceText({ why, evidence }: MeasuredJoin): string {
  if (evidence === undefined || evidence.values === 0) return `${WHY[why]}, not measured`
  const { values, found } = evidence
  const share =
    values === found
      ? `all ${values.toLocaleString('en-US')}`
      : `${Math.floor((100 * found) / values)} % of ${values.toLocaleString('en-US')}`
  return `${WHY[why]}, ${cardinalityOf(evidence)}, ${share} values found`
}
