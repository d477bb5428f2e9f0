import { type Bm25Corpus, frequency, idf, type Postings } from '../ranking/bm25.ts'
import { queryParts } from '../text/other-names.ts'
import { UNSPACED } from '../text/split-run.ts'
import { stem } from '../text/stem.ts'

/** Which decisions have a name of `core/text/other-names.ts`. */
export interface NamesIndex {
  postings(name: string): Postings | undefined
}

// Below this share of the query, the same initials or the same pair of characters may be chance.
const LEAST = 0.3

/**
 * The part of a query's weight that decisions have under another name: an acronym for what it stands for, the other way
 * round, or the pieces of an unspaced script. Only decisions that have some.
 */
export function coverageByNames(
  query: string,
  tokens: readonly string[],
  { text, names }: { text: Bm25Corpus; names: NamesIndex },
): Map<number, number> {
  const weigh = (found: Postings | undefined): number => idf(frequency(found, text.size), text.size)
  const met = queryParts(query).map((part) => ({ ...part, found: names.postings(part.name) }))
  const pieces = met.filter(({ words }) => words.length === 0)
  const words = new Set(tokens.filter((token) => !IS_UNSPACED.test(token)))
  const whole =
    [...words].reduce((sum, token) => sum + weigh(text.postings(token)), 0) +
    pieces.reduce((sum, { found }) => sum + weigh(found), 0)
  const covered = new Map<number, Set<string>>()
  for (const { name, words: spoken, found } of met) {
    for (const doc of found?.docs ?? []) {
      const set = covered.get(doc) ?? new Set()
      for (const key of spoken.length === 0 ? [`#${name}`] : spoken.map(stem)) set.add(key)
      covered.set(doc, set)
    }
  }
  const weights = new Map([
    ...[...words].map((token) => [token, weigh(text.postings(token))] as const),
    ...pieces.map(({ name, found }) => [`#${name}`, weigh(found)] as const),
  ])
  return new Map(
    [...covered]
      .map(
        ([doc, keys]) =>
          [doc, [...keys].reduce((sum, key) => sum + (weights.get(key) ?? 0), 0) / (whole || 1)] as const,
      )
      .filter(([, share]) => share >= LEAST),
  )
}

const IS_UNSPACED = new RegExp(UNSPACED, 'u')
