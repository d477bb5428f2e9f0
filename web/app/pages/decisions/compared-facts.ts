import type { OpenDecision } from './use-decision.ts'
import { dayWords, typeWords } from './words.ts'

export interface ComparedFact {
  readonly name: string
  readonly values: readonly [string, string]
  readonly differs: boolean
}

/** The facts of two decisions, line by line; facts missing from both are left out. */
export function comparedFacts(left: OpenDecision, right: OpenDecision): ComparedFact[] {
  return NAMES.flatMap(([name, of]) => {
    const values = [of(left) ?? '', of(right) ?? ''] as const
    return values.every((value) => value === '') ? [] : [{ name, values, differs: values[0] !== values[1] }]
  })
}

const NAMES: readonly (readonly [string, (decision: OpenDecision) => string | undefined])[] = [
  ['Status', ({ status }) => status],
  ['Decided', ({ parts }) => parts && dayWords(parts.date)],
  ['Trust', ({ trust }) => trust],
  ['Type', ({ parts }) => (parts?.type ? typeWords(parts.type) : undefined)],
  ['Confidence', ({ parts }) => parts?.confidence],
  ['Reversal', ({ parts }) => parts?.reversibility ?? undefined],
  ['Governs', ({ parts }) => parts?.files.toSorted().join(', ')],
  ['Rejected', ({ parts }) => parts?.rejected.map(({ name }) => name).join(', ')],
]
