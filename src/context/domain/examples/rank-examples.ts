import { stem } from '../../../kernel/domain/text/stem.ts'
import { dot } from '../../../retrieval/domain/ranking/vector.ts'
import { tellingWordsOf, type EmbedWords } from '../schema/read-schema-question.ts'

export interface RankedExample {
  /** Its index in the list of examples. */
  readonly example: number
  readonly score: number
}

interface LikeExample {
  readonly question: string
  /** How well its tables fit the question, from 0 to 1. */
  readonly tables: number
}

/*
 * LEAST was chosen on one half of eval/examples.ts, between the paraphrases and the other questions. Two questions
 * about the same tables are rarely the same question, so tables count little.
 */
const TABLES = 0.15
const LEAST = 0.38
const NEAR_MEANING = 0.8
const LEAST_COSINE = 0.4

/** The examples whose question is nearly the same, the most similar first; empty if there is none. */
export async function rankExamples(
  question: string,
  examples: readonly LikeExample[],
  embed: EmbedWords | undefined,
): Promise<readonly RankedExample[]> {
  const asked = tellingWordsOf(question)
  const known = examples.map((example) => tellingWordsOf(example.question))
  const rarity = rarityIn(known)
  const words = [...new Set([...asked, ...known.flat()])]
  const vectors = await embed?.(words)
  const numbers = new Map(words.map((word, i) => [word, i]))
  const likeness = (one: string, other: string): number => {
    if (stem(one) === stem(other)) return 1
    if (vectors === undefined) return 0
    const cosine = dot(vectors[numbers.get(one)!]!, vectors[numbers.get(other)!]!)
    return cosine < LEAST_COSINE ? 0 : NEAR_MEANING * cosine
  }
  const covered = (some: readonly string[], by: readonly string[]): number => {
    const whole = some.reduce((sum, word) => sum + rarity(word), 0)
    const found = some.reduce(
      (sum, word) => sum + rarity(word) * Math.max(0, ...by.map((one) => likeness(word, one))),
      0,
    )
    return whole === 0 ? 0 : found / whole
  }
  return examples
    .map(({ tables }, example) => {
      const [ours, theirs] = [covered(asked, known[example]!), covered(known[example]!, asked)]
      return { example, score: (1 - TABLES) * Math.sqrt(ours * theirs) + TABLES * tables }
    })
    .filter(({ score }) => score >= LEAST)
    .toSorted((one, other) => other.score - one.score)
}

/** Rarity of a word among the examples. */
function rarityIn(questions: readonly (readonly string[])[]): (word: string) => number {
  const frequency = new Map<string, number>()
  for (const words of questions)
    for (const word of new Set(words.map(stem))) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  return (word) => Math.log(2 + questions.length / (1 + (frequency.get(stem(word)) ?? 0)))
}
