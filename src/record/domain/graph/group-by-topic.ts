import { decisionTokens, QUERY_STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'
import { stem } from '../../../kernel/domain/text/stem.ts'
import { clusterVectors } from './cluster-vectors.ts'
import type { Grouping } from './grouping.ts'

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

const WORDS = 3
const TITLE_NAME_WEIGHT = 2
/** Anything longer is not a word, or leaves a heading no room. */
const LONGEST_WORD = 28
/** Only the beginning of the text shows the subject of a decision. */
const TEXT_LENGTH = 700
const WORD = /\p{L}(?:[\p{L}\p{N}_+#]|[.-](?=[\p{L}\p{N}]))+/gu
const HEADING = /^#{1,6} .*$/gm
/** Words that occur in every decision record. */
const GENERIC = new Set(
  'use using used adopt decision decisions record records adr adrs context status accepted proposed choose chosen option options consider considered need needs want new now one two via per will not allow allows make makes keep support rationale problem statement driver drivers consequence consequences pros cons good bad best considering based note see'.split(
    ' ',
  ),
)

/** A name for every cluster: the words that its decisions share and others lack, in their most common form. */
function nameTopics(
  decisions: readonly { readonly title: string; readonly about: string }[],
  of: readonly number[],
): string[] {
  const bags = decisions.map(({ title, about }) => wordsOf(title, about))
  const forms = commonForms(decisions)
  const total = new Map<string, number>()
  for (const bag of bags) for (const [word, weight] of bag) total.set(word, (total.get(word) ?? 0) + weight)
  const taken = new Set<string>()
  return Array.from({ length: Math.max(-1, ...of) + 1 }, (_, group) => {
    const mine = bags.filter((_, i) => of[i] === group)
    const words = tellingWords(mine, total, bags.length).map((word) => forms.get(word) ?? word)
    const name = distinct(words, taken)
    taken.add(name)
    return name
  })
}

/** The stems of a decision and their weights. */
function wordsOf(title: string, about: string): Map<string, number> {
  const bag = new Map<string, number>()
  for (const word of telling(about.slice(0, TEXT_LENGTH))) bag.set(stem(word.toLowerCase()), 1)
  for (const word of telling(title)) bag.set(stem(word.toLowerCase()), TITLE_NAME_WEIGHT)
  return bag
}

const telling = (text: string): string[] =>
  (text.replace(HEADING, '').match(WORD) ?? []).filter((word) => {
    const lower = word.toLowerCase()
    return word.length > 1 && word.length <= LONGEST_WORD && !QUERY_STOP_WORDS.has(lower) && !GENERIC.has(lower)
  })

function tellingWords(
  mine: readonly ReadonlyMap<string, number>[],
  total: ReadonlyMap<string, number>,
  count: number,
): string[] {
  const inside = new Map<string, number>()
  for (const bag of mine) for (const [word, weight] of bag) inside.set(word, (inside.get(word) ?? 0) + weight)
  const least = mine.length > 3 ? 3 : 1
  const score = ([word, weight]: [string, number]): number =>
    (weight / mine.length) * Math.log(((weight / mine.length) * count) / total.get(word)!)
  return [...inside]
    .filter(([, weight]) => weight >= least)
    .map((entry) => ({ word: entry[0], score: score(entry) }))
    .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
    .slice(0, 2 * WORDS)
    .map(({ word }) => word)
}

/** Joins the first words into a name that no other topic has. */
function distinct(words: readonly string[], taken: ReadonlySet<string>): string {
  for (let count = Math.min(WORDS, words.length); count <= words.length; count++) {
    const name = sentenceCase(words.slice(0, count).join(', '))
    if (name !== '' && !taken.has(name)) return name
  }
  for (let number = 1; ; number++) if (!taken.has(`Topic ${number}`)) return `Topic ${number}`
}

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The usual spelling of a stem: "API", "PostgreSQL", "queues". */
function commonForms(decisions: readonly { readonly title: string; readonly about: string }[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { title, about } of decisions) {
    for (const word of [...telling(title).slice(1), ...telling(about.slice(0, TEXT_LENGTH))]) {
      const key = stem(word.toLowerCase())
      const forms = counts.get(key) ?? new Map<string, number>()
      counts.set(key, forms.set(word, (forms.get(word) ?? 0) + 1))
    }
  }
  return new Map(
    [...counts].map(([key, forms]) => {
      const [[most]] = [...forms].sort(([a, m], [b, n]) => n - m || (a < b ? 1 : -1)) as [[string, number]]
      // A word that also occurs in lower case is capitalised only because it begins a sentence or a title.
      return [key, forms.has(most.toLowerCase()) && /^\p{Lu}\p{Ll}+$/u.test(most) ? most.toLowerCase() : most]
    }),
  )
}
