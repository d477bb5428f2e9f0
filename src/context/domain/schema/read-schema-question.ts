import { QUERY_STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'
import { stem } from '../../../kernel/domain/text/stem.ts'
import { dot } from '../../../retrieval/domain/ranking/vector.ts'
import { isAbbreviation, singular } from './identifier-words.ts'
import type { SchemaWords } from './schema-words.ts'

/** A word or a pair of neighbouring words of a question, and the similarity of each schema word to it. */
export interface QuestionTerm {
  readonly text: string
  readonly weight: number
  /** By schema word number: 1 is the same word, 0 is unrelated. */
  readonly likeness: Float32Array
  /** For a pair, its two words as separate terms. */
  readonly pair: readonly [number, number] | undefined
}

/** Vectors of unit length for words; without them only spelling counts. */
export type EmbedWords = (texts: readonly string[]) => Promise<readonly Float32Array[]>

export interface VectoredWords extends SchemaWords {
  readonly vectors: readonly Float32Array[] | undefined
}

// Chosen on one half of the questions of eval/beaver.ts: an abbreviation counts nearly as much as the word, a similar
// meaning less.
const ABBREVIATION = 0.8
const NEAREST_MEANING = 0.75
const LEAST_COSINE = { word: 0.45, pair: 0.6 }
const COSINE_FLOOR = 0.3
const PAIR_WEIGHT = 0.5
/** Later sentences are mostly about the form of the answer. */
const LATER_WEIGHT = 0.7

/** Terms of a question that may be names of something. */
export async function readSchemaQuestion(
  question: string,
  schema: VectoredWords,
  embed: EmbedWords | undefined,
): Promise<readonly QuestionTerm[]> {
  const text = plainText(question)
  const said = tellingWords(text)
  const words = [...new Set(said.filter((word) => word !== undefined))]
  const pairs = [
    ...new Set(
      said.flatMap((word, i) => (word === undefined || said[i + 1] === undefined ? [] : [`${word} ${said[i + 1]}`])),
    ),
  ]
  const texts = [...words, ...pairs]
  const vectors = embed === undefined || schema.vectors === undefined ? undefined : await embed(texts)
  const [opening = ''] = text.split(/[.?!](?:\s|$)/)
  return texts.map((one, i) => {
    const isPair = i >= words.length
    const [first = '', second = ''] = one.split(' ')
    return {
      text: one,
      weight: (isPair ? PAIR_WEIGHT : 1) * (opening.includes(one) ? 1 : LATER_WEIGHT),
      likeness: likenessOf(one, schema, { isPair, vector: vectors?.[i] }),
      pair: isPair ? [words.indexOf(first), words.indexOf(second)] : undefined,
    }
  })
}

/** Content words of a question, each once. */
export const tellingWordsOf = (question: string): readonly string[] => [
  ...new Set(tellingWords(plainText(question)).filter((word) => word !== undefined)),
]

const LONGEST_QUESTION = 4_000

/** Without quotations, ids, numbers and dates: they are values, which column names do not contain. */
const plainText = (question: string): string =>
  question
    .slice(0, LONGEST_QUESTION)
    .replaceAll(/'[^']{0,200}'|"[^"]{0,200}"/g, ' . ')
    .split(/\s+/)
    .map((part) => (/\d/.test(part) && part.length > 3 ? '.' : part))
    .join(' ')
    .toLowerCase()

/**
 * Words that neither ask nor describe the layout of the answer, in text order; undefined marks a break in the phrase.
 */
function tellingWords(text: string): readonly (string | undefined)[] {
  const said: (string | undefined)[] = []
  for (const [part] of text.matchAll(/[\p{L}\p{M}]+|[^\s\p{L}\p{M}]/gu)) {
    const before = said.at(-1)
    // "Mailing list" and "purchase order" are things; "list the …" and "in order" are not.
    const isTelling =
      part.length > 1 &&
      /^\p{L}/u.test(part) &&
      (!ASKING.has(part) || (before !== undefined && ALSO_THINGS.has(singular(part))))
    said.push(isTelling ? part : undefined)
  }
  return said
}

const ALSO_THINGS: ReadonlySet<string> = new Set('list order count number group display report rate'.split(' '))

const ASKING: ReadonlySet<string> = new Set([
  ...QUERY_STOP_WORDS,
  ...`provide information list show give total number count each every along including include all distinct unique average
  minimum maximum display sort sorted order ascending descending find get many much retrieve return report calculate
  compute determine identify round rounded format formatted comma commas thousands separator separators subtotal subtotals
  grand row rows column columns null field exclude excluding value values respective respectively corresponding
  associated specific whether according based only first most least largest smallest highest lowest greatest longest
  shortest percentage percent sum per than more less over overall separately wie viele welche zeige alle gib liste`.split(
    /\s+/,
  ),
])

function likenessOf(
  text: string,
  { words, stems, vectors }: VectoredWords,
  { isPair, vector }: { readonly isPair: boolean; readonly vector: Float32Array | undefined },
): Float32Array {
  const likeness = new Float32Array(words.length)
  const own = stem(text)
  const plain = singular(text)
  const least = isPair ? LEAST_COSINE.pair : LEAST_COSINE.word
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (!isPair && (stems[i] === own || word === text)) likeness[i] = 1
    else if (!isPair && isAbbreviation(word, plain)) likeness[i] = ABBREVIATION
    else if (vector !== undefined && word.length > 2) {
      const cosine = dot(vector, vectors![i]!)
      if (cosine > least) likeness[i] = Math.min(NEAREST_MEANING, cosine - COSINE_FLOOR)
    }
  }
  return likeness
}
