/** How far a hit is to be believed. `none`: shown to nobody as related. */
export type Verdict = 'strong' | 'related' | 'weak' | 'none'

export interface Evidence {
  /** The part of the query's weight the text covers, 0 to 1. */
  readonly coverage: number
  /** Null when no embedder ran. */
  readonly cosine: number | null
}

// Fitted on proposals that do and do not touch a record of 75 decisions; eval/verdict.ts prints how well they part.
const BETA = 0.5
const WITH_MEANING = { strong: 0.53, related: 0.45, weak: 0.39 }
const WORDS_ALONE = { strong: 0.3, related: 0.21, weak: 0.12 }

/** A verdict on one hit; never a claim that there is no conflict, only that nothing speaks for one. */
export function verdictOf({ coverage, cosine }: Evidence): Verdict {
  if (cosine === null) return byWords(coverage)
  const score = cosine + BETA * coverage
  if (score >= WITH_MEANING.strong) return 'strong'
  if (score >= WITH_MEANING.related) return 'related'
  return score >= WITH_MEANING.weak ? 'weak' : 'none'
}

export const strongest = (verdicts: readonly Verdict[]): Verdict =>
  ORDER.find((verdict) => verdicts.includes(verdict)) ?? 'none'

const ORDER: readonly Verdict[] = ['strong', 'related', 'weak', 'none']

function byWords(coverage: number): Verdict {
  if (coverage >= WORDS_ALONE.strong) return 'strong'
  if (coverage >= WORDS_ALONE.related) return 'related'
  return coverage >= WORDS_ALONE.weak ? 'weak' : 'none'
}
