import { decisionTokens } from '../../../kernel/domain/text/decision-tokens.ts'
import { clusterVectors } from './cluster-vectors.ts'
import type { Grouping } from './grouping.ts'
import { nameTopics } from './name-topics.ts'

export interface TopicSource {
  readonly title: string
  /** Text of the decision, for words and similarity. */
  readonly about: string
  /** Embedding of the decision; undefined if no embedder is available. */
  readonly vector: Float32Array | undefined
}

/** Fewer decisions have no topics worth separating. */
const FEWEST = 6

/** Groups decisions on the same topic, by meaning, or by words if no embedder ran. */
export function topicGroups(decisions: readonly TopicSource[], most: number): Grouping {
  const count = decisions.length
  if (count < FEWEST)
    return { by: 'topic', names: count > 0 ? ['Decisions'] : [], of: decisions.map(() => 0), rest: null }
  const wanted = Math.max(2, Math.min(most, Math.round(Math.sqrt(count / 2))))
  const vectors = decisions.every(({ vector }) => vector !== undefined)
    ? decisions.map(({ vector }) => vector!)
    : wordVectors(decisions)
  const of = clusterVectors(vectors, wanted)
  return { by: 'topic', names: nameTopics(decisions, of), of, rest: null }
}

const DIMENSIONS = 384
const TITLE_WEIGHT = 3

/** Vectors from words: rare words weigh more, titles count three times; words share dimensions by hash. */
function wordVectors(decisions: readonly TopicSource[]): Float32Array[] {
  const bags = decisions.map(({ title, about }) => {
    const bag = new Map<string, number>()
    const add = (weight: number) => (word: string) => void bag.set(word, (bag.get(word) ?? 0) + weight)
    decisionTokens(title).forEach(add(TITLE_WEIGHT))
    decisionTokens(about).forEach(add(1))
    return bag
  })
  const frequency = new Map<string, number>()
  for (const bag of bags) for (const word of bag.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  return bags.map((bag) => {
    const vector = new Float32Array(DIMENSIONS)
    for (const [word, weight] of bag) {
      const hash = hashOf(word)
      const rarity = Math.log(1 + bags.length / frequency.get(word)!)
      vector[hash % DIMENSIONS]! += Math.sqrt(weight) * rarity * (hash & 0x10000 ? 1 : -1)
    }
    return vector
  })
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
