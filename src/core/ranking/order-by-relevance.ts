export interface Candidate {
  /** From the search; any scale, the same for all. */
  readonly score: number
  /** From the reranker, 0 to 1. */
  readonly relevance: number
  /** What a document counts for, as in the search: what was laid aside stays behind what holds. */
  readonly worth: number
}

/**
 * How much the reranker counts beside the search. Both stand on one scale from 0 to 1 and the share is the same at
 * every place, so equal relevance never changes the order of the search, and more relevance never lowers a place. Below
 * 1, because a reranker that suits one kind of text hurts on another: where it sees little difference, the search
 * decides.
 */
const SHARE = 0.75

/** The candidates in a new order, as places in the list with their scores from 0 to 1. */
export function orderByRelevance(
  candidates: readonly Candidate[],
): readonly { readonly at: number; readonly score: number }[] {
  const highest = Math.max(...candidates.map(({ score }) => score), Number.MIN_VALUE)
  const scored = candidates.map(({ score, relevance, worth }, at) => ({
    at,
    score: SHARE * relevance * worth + (1 - SHARE) * Math.max(0, score / highest),
  }))
  return scored.toSorted((a, b) => b.score - a.score || a.at - b.at)
}

/** Scores of any reranker on a scale from 0 to 1: what is not there already is taken for logits. */
export function toRelevance(scores: readonly number[]): readonly number[] {
  return scores.every((score) => score >= 0 && score <= 1) ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)))
}
