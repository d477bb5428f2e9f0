import { analyse, analyseQuery } from '../../../kernel/domain/text/analyse.ts'
import { stem } from '../../../kernel/domain/text/stem.ts'

/** Something to search: a session, a decision, a page; its lines in text order. */
export interface WeighedSource {
  readonly lines: readonly { readonly text: string }[]
  /** Name of the source, which its lines need not repeat. */
  readonly title: string
}

export type Embed = (
  texts: readonly string[],
  purpose: 'query' | 'document',
  weigh?: (word: string) => number,
) => Promise<readonly Float32Array[]>

// BM25, on lines; chosen with the weights below on half of LoCoMo's questions.
const K1 = 1.2
const B = 0.75
/** Weights of the cosine, the line before, the line after, and the whole source beside a line's words. */
const MEANING = 1.2
const BEFORE = 0.3
const AFTER = 0.2
const SOURCE = 1.5
/** Number of mentions at which a source is half as much about a word as it can be. */
const HALF_ABOUT = 3
/** How strongly a rare word outweighs a common one in the meaning of the question, as in memory search. */
const RARITY_POWER = 0.4

/**
 * Relevance of each line of each source to a question, on one scale: the line's words and meaning, the lines around it
 * (an answer follows its question), and the subject of the whole source.
 */
export async function weighPassages(
  question: string,
  sources: readonly WeighedSource[],
  embed: Embed | undefined,
): Promise<readonly Float32Array[]> {
  const read = sources.map(readSource)
  const terms = [...new Set(analyseQuery(question).flatMap(({ term, parts }) => [term, ...parts]))]
  const idf = rarity(read)
  const whole = terms.reduce((sum, term) => sum + idf(term), 0) || 1
  const lines = read.reduce((sum, { counts }) => sum + counts.length, 0)
  const average = read.reduce((sum, { lengths }) => sum + lengths.reduce((a, b) => a + b, 0), 0) / Math.max(1, lines)
  const meaning = embed && (await embed([question], 'query', (word) => idf(stem(word)) ** RARITY_POWER))[0]
  return Promise.all(
    read.map(async (source) => {
      const vectors = embed === undefined ? undefined : await vectorsOf(source, embed)
      const own = source.counts.map((counts, at) => {
        const half = K1 * (1 - B + (B * source.lengths[at]!) / average)
        let words = 0
        for (const term of terms) {
          const count = counts.get(term) ?? 0
          if (count > 0) words += (idf(term) * count * (K1 + 1)) / (count + half)
        }
        return words / whole + (meaning === undefined ? 0 : MEANING * Math.max(0, cosine(meaning, vectors![at]!)))
      })
      let about = 0
      for (const term of terms) {
        const count = source.whole.get(term) ?? 0
        about += (idf(term) * count) / (count + HALF_ABOUT)
      }
      return Float32Array.from(
        own,
        (value, at) => value + BEFORE * (own[at - 1] ?? 0) + AFTER * (own[at + 1] ?? 0) + SOURCE * (about / whole),
      )
    }),
  )
}

interface ReadSource {
  readonly texts: readonly string[]
  readonly counts: readonly ReadonlyMap<string, number>[]
  readonly lengths: readonly number[]
  readonly whole: ReadonlyMap<string, number>
  vectors?: Promise<readonly Float32Array[]>
}

// Cached: the same lines are used for every question.
const known = new WeakMap<WeighedSource['lines'], ReadSource>()

function readSource({ lines, title }: WeighedSource): ReadSource {
  const before = known.get(lines)
  if (before !== undefined) return before
  const texts = lines.map(({ text }) => text)
  const counts = texts.map((text) => countsOf(analyse(text)))
  const whole = countsOf(analyse(title))
  for (const own of counts) for (const [term, count] of own) whole.set(term, (whole.get(term) ?? 0) + count)
  const lengths = counts.map((own) => [...own.values()].reduce((a, b) => a + b, 0))
  const read = { texts, counts, lengths, whole }
  known.set(lines, read)
  return read
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** The idf of a term among all lines, looked up once. */
function rarity(read: readonly ReadSource[]): (term: string) => number {
  const lines = read.reduce((sum, { counts }) => sum + counts.length, 0)
  const found = new Map<string, number>()
  return (term) => {
    let idf = found.get(term)
    if (idf === undefined) {
      let holding = 0
      for (const { counts, whole } of read) if (whole.has(term)) for (const own of counts) if (own.has(term)) holding++
      idf = Math.log(1 + (lines - holding + 0.5) / (holding + 0.5))
      found.set(term, idf)
    }
    return idf
  }
}

const vectorsOf = (source: ReadSource, embed: Embed): Promise<readonly Float32Array[]> =>
  (source.vectors ??= embed(source.texts, 'document'))

function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!
  return sum
}
