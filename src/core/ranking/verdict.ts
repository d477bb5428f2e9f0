/** How far a hit is to be believed. `none`: shown to nobody as related. */
export type Verdict = 'strong' | 'related' | 'weak' | 'none'

export interface Evidence {
  /** The part of the query's weight the text covers, 0 to 1. */
  readonly coverage: number
  /** Null when no embedder ran, or the text has no vector yet. */
  readonly cosine: number | null
}

/** What the evidence for a decision is judged by. */
export interface Yardstick {
  /** How general the query is: its cosine to everyday proposals. */
  readonly generality: number
  /** Where "related" begins in this record. */
  readonly line: number
}

type Thresholds = Readonly<Record<Exclude<Verdict, 'none'>, number>>

// Fitted on the tuning halves of eval/sets/check; `npm run eval -- --only check,check-adrs` prints how well they part.
const BETA = 0.5
const GENERALITY = 0.7
const FROM_LINE: Thresholds = { strong: 0.14, related: 0, weak: -0.025 }
// The same words, or the same pieces of a script that the model cannot read; unrelated proposals never came near.
const HALF_OF_IT = 0.5
const WORDS_ALONE: Thresholds = { strong: 0.3, related: 0.21, weak: 0.12 }

/** A verdict on a decision; never a claim that there is no conflict, only that nothing speaks for one. */
export function verdictOf(evidence: Evidence, yardstick: Yardstick): Verdict {
  if (evidence.cosine === null) return reached(evidence.coverage, WORDS_ALONE)
  const verdict = reached(relevanceOf(evidence, yardstick), FROM_LINE)
  return evidence.coverage >= HALF_OF_IT ? atLeast('related', verdict) : verdict
}

/**
 * What verdicts are read off, and what hits with the same verdict are ordered by: how far a decision is above the line,
 * or how much it covers if there is no cosine.
 */
export const relevanceOf = ({ coverage, cosine }: Evidence, { generality, line }: Yardstick): number =>
  cosine === null ? coverage : cosine + BETA * coverage - GENERALITY * generality - line

// Of the query's weight: most of it, a good part, some of it.
const HIT_BY_WORDS: Thresholds = { strong: 0.45, related: 0.25, weak: 0.05 }

/** A verdict on a hit of the memory, as its embedder is calibrated. */
export function hitVerdict({
  coverage,
  cosine,
  calibration,
}: Evidence & {
  readonly calibration: { readonly beta: number; readonly noise: number; readonly strong: number } | undefined
}): Verdict {
  const words = reached(coverage, HIT_BY_WORDS)
  if (cosine === null || calibration === undefined || words === 'strong')
    return words === 'none' && cosine !== null ? 'weak' : words
  const score = cosine + calibration.beta * coverage
  if (score >= calibration.strong) return 'strong'
  if (cosine >= calibration.noise)
    return score >= (calibration.strong + calibration.noise) / 2 || words === 'related' ? 'related' : 'weak'
  return words
}

export const strongest = (verdicts: readonly Verdict[]): Verdict =>
  ORDER.find((verdict) => verdicts.includes(verdict)) ?? 'none'

export const byVerdict = (a: Verdict, b: Verdict): number => ORDER.indexOf(a) - ORDER.indexOf(b)

export const atLeast = (least: Verdict, verdict: Verdict): Verdict => (byVerdict(verdict, least) > 0 ? least : verdict)

const ORDER: readonly Verdict[] = ['strong', 'related', 'weak', 'none']

function reached(score: number, { strong, related, weak }: Thresholds): Verdict {
  if (score >= strong) return 'strong'
  if (score >= related) return 'related'
  return score >= weak ? 'weak' : 'none'
}
