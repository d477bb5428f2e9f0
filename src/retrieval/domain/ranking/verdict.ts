import type { Calibration } from '../embedding/catalogue.ts'

/** How far to trust a hit. `none` is never shown as related. */
export type Verdict = 'strong' | 'related' | 'weak' | 'none'

export interface Evidence {
  /** The share of the query's weight that the text covers, 0 to 1. */
  readonly coverage: number
  /** Null if no embedder ran, or the text has no vector yet. */
  readonly cosine: number | null
}

/** The scale for the evidence for a decision. */
export interface Yardstick {
  /** How generic the query is: its cosine to everyday proposals. */
  readonly generality: number
  /** Relevance at which "related" begins in this record. */
  readonly line: number
}

type Thresholds = Readonly<Record<Exclude<Verdict, 'none'>, number>>

// Fitted on the tuning halves of eval/sets/check; `npm run eval -- --only check,check-adrs` prints how well they
// separate.
const BETA = 0.5
const GENERALITY = 0.7
const FROM_LINE: Thresholds = { strong: 0.14, related: 0, weak: -0.025 }
// The same words, or the same pieces of a script that the model does not have; unrelated proposals never came near this
// value.
const HALF_OF_IT = 0.5
const WORDS_ALONE: Thresholds = { strong: 0.3, related: 0.21, weak: 0.12 }

/** The verdict on a decision; never claims that there is no conflict, only that there is no evidence for one. */
export function verdictOf(evidence: Evidence, yardstick: Yardstick): Verdict {
  if (evidence.cosine === null) return reached(evidence.coverage, WORDS_ALONE)
  const verdict = reached(relevanceOf(evidence, yardstick), FROM_LINE)
  return evidence.coverage >= HALF_OF_IT ? atLeast('related', verdict) : verdict
}

/**
 * The basis of verdicts, and the order of hits with the same verdict: the distance of a decision above the line, or its
 * coverage if there is no cosine.
 */
export const relevanceOf = ({ coverage, cosine }: Evidence, { generality, line }: Yardstick): number =>
  cosine === null ? coverage : cosine + BETA * coverage - GENERALITY * generality - line

// Share of the query's weight that a chunk and its document cover; the levels stand for half of it, a good part of it,
// some of it.
const HIT_BY_WORDS: Thresholds = { strong: 0.5, related: 0.3, weak: 0.05 }

export interface HitEvidence extends Evidence {
  /** Score of the ranking: covered words, plus the cosine if `by` is `both`. */
  readonly score: number
  readonly by: 'words' | 'meaning' | 'both'
  readonly calibration: Omit<Calibration, 'weight'> | undefined
}

/** The verdict on a memory hit, by the calibration of its embedder. */
export function hitVerdict({ coverage, cosine, score: ranked, by, calibration }: HitEvidence): Verdict {
  const words = reached(by === 'words' ? ranked : coverage, HIT_BY_WORDS)
  const lines = calibration?.lines
  if (by === 'both' && cosine !== null && lines !== undefined) {
    if (ranked >= lines.related) return ranked >= lines.strong ? 'strong' : 'related'
    return words === 'none' && cosine < calibration!.noise ? 'none' : 'weak'
  }
  if (cosine === null || calibration === undefined || words === 'strong')
    return words === 'none' && cosine !== null ? 'weak' : words
  const score = cosine + calibration.beta * coverage
  if (score >= calibration.strong) return 'strong'
  if (cosine >= calibration.noise)
    return score >= (calibration.strong + calibration.noise) / 2 || words === 'related' ? 'related' : 'weak'
  return words
}

// Fitted on the tuning half of LoCoMo's questions; `npm run eval -- --only memory-verdicts` prints how well they
// separate.
const LEAD = { strong: 0.33, related: -0.05 }

/**
 * The verdict on a hit of a conversation for a question about one of its speakers, by the lead of that person over
 * others (`personEvidence`).
 */
export function personVerdict(verdict: Verdict, lead: number): Verdict {
  const most = lead >= LEAD.strong ? 'strong' : lead >= LEAD.related ? 'related' : 'weak'
  return byVerdict(most, verdict) > 0 ? most : verdict
}

/** Whether a hit is above the line: `weak` hits are only the nearest ones. */
export const isTold = (verdict: string): boolean => verdict === 'strong' || verdict === 'related'

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
