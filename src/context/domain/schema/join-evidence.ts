import type { InferredJoin } from './infer-joins.ts'

/** What the rows of both sides say about a join. */
export interface JoinEvidence {
  /** Different values on the asking side, and how many of them the other side has. */
  readonly values: number
  readonly found: number
  /** Whether a value stands in one row only, on either side. */
  readonly isUniqueFrom: boolean
  readonly isUniqueTo: boolean
}

/** A join with what is known of it; `evidence` is missing where no rows were read. */
export interface MeasuredJoin extends InferredJoin {
  readonly evidence?: JoinEvidence | undefined
}

const FEW = 5
const LEAST_FOUND = { name: 0.5, key: 0.5, shared: 0.5, alike: 0.95 }

/** Whether rows bear a join out. Without rows, what the name of a key says is believed, and a mere likeness is not. */
export function isBelieved({ why, evidence }: MeasuredJoin): boolean {
  if (evidence === undefined || evidence.values === 0) return why !== 'alike'
  const share = evidence.found / evidence.values
  if (why === 'alike') return evidence.isUniqueTo && share >= LEAST_FOUND.alike && evidence.values >= FEW
  if (why === 'key' && !evidence.isUniqueTo) return false
  return evidence.values < FEW ? evidence.found > 0 : share >= LEAST_FOUND[why]
}

/** The same join seen from the other side: the one whose values are unique is referred to. */
export const turned = ({ from, column, to, referenced, why }: InferredJoin): InferredJoin => ({
  from: to,
  column: referenced,
  to: from,
  referenced: column,
  why,
})

/** `n:1`, as far as rows tell. */
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

/** Why a join is believed, in a few words. */
export function evidenceText({ why, evidence }: MeasuredJoin): string {
  if (evidence === undefined || evidence.values === 0) return `${WHY[why]}, not measured`
  const { values, found } = evidence
  const share =
    values === found
      ? `all ${values.toLocaleString('en-US')}`
      : `${Math.floor((100 * found) / values)} % of ${values.toLocaleString('en-US')}`
  return `${WHY[why]}, ${cardinalityOf(evidence)}, ${share} values found`
}
