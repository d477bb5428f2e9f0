import { head } from '../../kernel/domain/text.ts'
import type { Decision } from './decision/decision.ts'
import { outcomeSentence } from './decision/outcome-sentence.ts'
import type { DecisionCorpus } from './find-by-words.ts'
import { bestRelevance, type Meaning, type SemanticQuery } from './rank-decisions.ts'

/** The outcome of a decision and its position in the corpus. */
export interface Statement {
  readonly index: number
  readonly text: string
}

// Decisions sampled from a large record: in nine of ten samples of 300 the line is less than 0.007 off. Of a very large
// record fewer are sampled (0.017 off), because each is ranked among all others.
const SAMPLE = 250
const VERY_LARGE = 20_000
const SAMPLE_OF_VERY_LARGE = 100
const LONGEST = 200
// Fitted on the tuning half of eval/sets/check/adr-proposals.json.
const QUANTILE = 0.3
const MOST_WEIGHT = 0.75
const HALF_WEIGHT_AT = 2
// No record of real decisions needed more, including mixed ones of 850; decisions that repeat each other reach far
// more.
const HIGHEST = 0.4
const usual = (size: number): number => 0.39 - 0.4 / (size + 2)

/**
 * The relevance at which "related" begins in a record: each decision's outcome is ranked among the other decisions, and
 * the line is near the lower third of their relevance. A small record is weak evidence, so its result is blended with
 * the default line.
 */
export async function measureLine(
  corpus: DecisionCorpus,
  statements: readonly Statement[],
  semantic: (question: SemanticQuery) => Promise<Meaning | undefined>,
): Promise<number> {
  const reached: number[] = []
  for (const { index, text } of statements) {
    const where = (entry: DecisionCorpus['entries'][number]) => entry !== corpus.entries[index]
    const best = await bestRelevance(corpus, { text, limit: 1, check: true, where }, semantic)
    if (best !== undefined) reached.push(best)
  }
  const size = Math.max(1, corpus.text.size)
  if (reached.length === 0) return usual(size)
  const own = reached.sort((a, b) => a - b)[Math.floor(QUANTILE * reached.length)]!
  const weight = (MOST_WEIGHT * size) / (size + HALF_WEIGHT_AT)
  return Math.min(HIGHEST, weight * own + (1 - weight) * usual(size))
}

/** Positions of the decisions that the line is measured with: all of a small record, a stable sample of a large one. */
export function sampleOf({ entries, text: { size } }: DecisionCorpus, limit = SAMPLE): number[] {
  const most = size > VERY_LARGE ? Math.min(limit, SAMPLE_OF_VERY_LARGE) : limit
  const places = [...Array(size).keys()]
  if (size <= most) return places
  const hashes = places.map((index) => hashOf(entries[index]!.stem))
  return places.sort((a, b) => hashes[a]! - hashes[b]! || a - b).slice(0, most)
}

export const statementOf = (index: number, decision: Decision): Statement => ({
  index,
  text: head(outcomeSentence(decision), LONGEST),
})

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
