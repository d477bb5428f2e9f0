import type { Verdict } from '../decision/verdict.ts'

export interface HitEvidence {
  readonly coverage: number
  /** Null when no embedder ran, or the chunk has no vector yet. */
  readonly cosine: number | null
  readonly calibration: { readonly beta: number; readonly noise: number; readonly strong: number } | undefined
}

// Of the query's weight: most of it, a good part, some of it.
const BY_WORDS = { strong: 0.45, related: 0.25, weak: 0.05 }

/** How far a hit of the memory is to be believed; `none` is shown to nobody. */
export function hitVerdict({ coverage, cosine, calibration }: HitEvidence): Verdict {
  const words =
    coverage >= BY_WORDS.strong
      ? 'strong'
      : coverage >= BY_WORDS.related
        ? 'related'
        : coverage >= BY_WORDS.weak
          ? 'weak'
          : 'none'
  if (cosine === null || calibration === undefined || words === 'strong')
    return words === 'none' && cosine !== null ? 'weak' : words
  const score = cosine + calibration.beta * coverage
  if (score >= calibration.strong) return 'strong'
  if (cosine >= calibration.noise)
    return score >= (calibration.strong + calibration.noise) / 2 || words === 'related' ? 'related' : 'weak'
  return words
}
