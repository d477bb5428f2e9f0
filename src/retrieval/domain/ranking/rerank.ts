import { delimit, IS_DATA } from '../../../kernel/domain/text/delimit.ts'

const BEST = 10

/** Prompt that requests a mark for each numbered passage. */
export function rerankPrompt(
  query: string,
  passages: readonly string[],
): { readonly system: string; readonly prompt: string } {
  const list = passages.map((passage, at) => delimit('passage', passage, `number="${at + 1}"`)).join('\n')
  return {
    system: `You judge how well passages answer a query. ${IS_DATA}`,
    prompt: `${delimit('query', query)}\n\n${list}\n\nGive every passage a mark from 0 (has nothing to do with the query) to ${BEST} (answers it). One line per passage, its number, a colon and the mark, for example "1: 7"; nothing else.`,
  }
}

/**
 * Scores from 0 to 1 in passage order; undefined unless every passage has exactly one mark and there is nothing else.
 */
export function readMarks(answer: string, count: number): readonly number[] | undefined {
  const lines = answer
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const scores = new Map<number, number>()
  for (const line of lines) {
    const [, number, mark] = /^(\d{1,3})\s*:\s*(\d{1,2}(?:\.\d+)?)$/.exec(line) ?? []
    if (number === undefined || Number(mark) > BEST) return undefined
    scores.set(Number(number), Number(mark) / BEST)
  }
  const ordered = Array.from({ length: count }, (_, at) => scores.get(at + 1))
  return lines.length === count && ordered.every((score) => score !== undefined) ? ordered : undefined
}

/** A hit with the reranker's relevance. */
export interface RerankedHit {
  /** Search score; on any scale, the same for all hits. */
  readonly score: number
  /** Relevance from the reranker, 0 to 1. */
  readonly relevance: number
  /** Weight of a document, as in the search: superseded ones stay behind current ones. */
  readonly worth: number
}

/**
 * Weight of the reranker relative to the search. Both are on one scale from 0 to 1 and the share is the same at every
 * rank, so equal relevance never changes the order of the search, and more relevance never lowers a rank. Below 1,
 * because a reranker that suits one kind of text hurts on another: if it sees little difference, the search decides.
 */
const SHARE = 0.75

/** The hits in a new order, as positions in the list with their scores from 0 to 1. */
export function orderByRelevance(
  hits: readonly RerankedHit[],
): readonly { readonly at: number; readonly score: number }[] {
  const highest = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE)
  const scored = hits.map(({ score, relevance, worth }, at) => ({
    at,
    score: SHARE * relevance * worth + (1 - SHARE) * Math.max(0, score / highest),
  }))
  return scored.toSorted((a, b) => b.score - a.score || a.at - b.at)
}

/** Scales the scores of any reranker to 0 to 1: values outside that range are treated as logits. */
export function toRelevance(scores: readonly number[]): readonly number[] {
  return scores.every((score) => score >= 0 && score <= 1) ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)))
}
