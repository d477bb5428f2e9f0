import { isSlipOf } from '../../../kernel/domain/close-match.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { QUERY_STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'

/** Distinct values of a text column, most frequent first. */
export interface IndexedColumn {
  readonly name: string
  readonly values: readonly string[]
  /** The values are only recognised, never shown: each is a hash and the letter of its spelling. */
  readonly isHeldBack?: boolean | undefined
}

export interface ValuePlace {
  readonly table: number
  readonly column: number
  /** Spelled as in the column; undefined for a withheld value with an unusual spelling. */
  readonly value: string | undefined
}

/** Words of a question that match a value, with all columns that contain that value. */
export interface NamedValue {
  /** Its words in the question, in lower case and without accents. */
  readonly phrase: string
  /** 1 for the value itself, less for a part of one or a typo. */
  readonly likeness: number
  readonly places: readonly ValuePlace[]
}

export interface ValueIndex {
  find(question: string): readonly NamedValue[]
}

const LONGEST_VALUE = 80
const LONGEST_QUESTION = 4_000
const MOST_WORDS = 6
/** A word in more columns than this identifies none of them. */
const MOST_PLACES = 12
const MOST_OF_A_WORD = 3
const LEAST_LETTERS = 5

/** A column as stored on this machine. */
export function indexedColumn(name: string, values: readonly string[], isHeldBack: boolean): IndexedColumn {
  const kept = values.filter((value) => value.length <= LONGEST_VALUE && isTelling(fold(value)))
  return isHeldBack ? { name, values: kept.map(recognisable), isHeldBack } : { name, values: kept }
}

/** Opens an index of all columns, each by the index of its table and its position in it. */
export function openValueIndex(
  columns: readonly (readonly [table: number, column: number, indexed: IndexedColumn])[],
  knows: (word: string) => boolean,
): ValueIndex {
  const whole = new Map<string, ValuePlace[]>()
  const hashed = new Map<string, ValuePlace[]>()
  const byWord = new Map<string, ValuePlace[]>()
  const byLength = new Map<number, string[]>()
  for (const [table, column, { values, isHeldBack }] of columns)
    for (const value of values) {
      if (isHeldBack) {
        add(hashed, value.slice(0, HASH), { table, column, value: value.slice(HASH) })
        continue
      }
      const key = fold(value)
      if (!isTelling(key)) continue
      const place = { table, column, value }
      if (!whole.has(key)) byLength.set(key.length, [...(byLength.get(key.length) ?? []), key])
      add(whole, key, place)
      const words = key.split(' ')
      if (words.length > 1) for (const word of new Set(words)) if (word.length > 3) add(byWord, word, place)
    }
  const heldBack = (phrase: string): readonly ValuePlace[] =>
    hashed.size === 0
      ? []
      : (hashed.get(hashOf(phrase)) ?? []).map((place) => ({ ...place, value: spelled(phrase, place.value!) }))
  const near = (phrase: string): readonly string[] =>
    [-2, -1, 0, 1, 2].flatMap((more) =>
      (byLength.get(phrase.length + more) ?? []).filter(
        (key) => (key[0] === phrase[0] || key.slice(-2) === phrase.slice(-2)) && isSlipOf(phrase, key),
      ),
    )
  return {
    find(question) {
      const words = readWords(question)
      const found: NamedValue[] = []
      const covered = new Set<number>()
      const look = (
        length: number,
        likeness: number,
        places: (phrase: string, parts: Words) => readonly ValuePlace[],
      ) => {
        for (let from = 0; from + length <= words.length; from++) {
          const at = Array.from({ length }, (_, i) => from + i)
          const parts = words.slice(from, from + length)
          const phrase = parts.map(({ text }) => text).join(' ')
          if (at.some((i) => covered.has(i)) || !isTelling(phrase) || parts.every(({ isCommon }) => isCommon)) continue
          const all = places(phrase, parts)
          if (all.length === 0 || all.length > MOST_PLACES) continue
          for (const i of at) covered.add(i)
          found.push({ phrase, likeness, places: all })
        }
      }
      for (let length = MOST_WORDS; length > 0; length--)
        look(length, 1, (phrase) => [...(whole.get(phrase) ?? []), ...heldBack(phrase)])
      const isName = (parts: Words): boolean => parts.some(({ isNamed, text }) => isNamed || !knows(text))
      for (let length = 3; length > 0; length--)
        look(length, TYPO, (phrase, parts) =>
          phrase.length < LEAST_LETTERS || !isName(parts) ? [] : near(phrase).flatMap((key) => whole.get(key)!),
        )
      look(1, PART, (phrase, parts) => {
        const places = byWord.get(phrase) ?? []
        return isName(parts) && places.length <= MOST_OF_A_WORD ? places : []
      })
      return found
    },
  }
}

const TYPO = 0.7
const PART = 0.7

type Words = readonly {
  readonly text: string
  /** Capital letters or quotes mark a word as a name. */
  readonly isNamed: boolean
  readonly isCommon: boolean
}[]

function readWords(question: string): Words {
  const text = question.slice(0, LONGEST_QUESTION)
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => {
    const isFirst = !/[\p{L}\p{N}]/u.test(text.slice(0, index)) || /[.?!]\s*$/.test(text.slice(0, index))
    const folded = fold(word)
    return {
      text: folded,
      isNamed:
        /['"“‘«]/.test(text[index - 1] ?? '') || (!isFirst && /^\p{Lu}/u.test(word)) || /\p{L}\d|\d\p{L}/u.test(word),
      isCommon: QUERY_STOP_WORDS.has(folded),
    }
  })
}

/** A single letter or a short number is too common to identify a value. */
const isTelling = (key: string): boolean => key.length > 2 && (/\p{L}/u.test(key) || key.length > 5)

/** Lower case, without accents, words separated by single spaces. */
const fold = (text: string): string =>
  (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')

const HASH = 16
const hashOf = (key: string): string => sha256(`ken value ${key}`).slice(0, HASH)

const SPELLINGS: Readonly<Record<string, (key: string) => string>> = {
  l: (key) => key,
  u: (key) => key.toUpperCase(),
  t: (key) => key.replaceAll(/(^| )(\p{L})/gu, (_, space: string, letter: string) => space + letter.toUpperCase()),
}

/** Hash of a value and the code of its spelling; `x` for any other spelling. */
function recognisable(value: string): string {
  const key = fold(value)
  const spelling = Object.entries(SPELLINGS).find(([, spell]) => spell(key) === value)?.[0] ?? 'x'
  return `${hashOf(key)}${spelling}`
}

const spelled = (key: string, spelling: string): string | undefined => SPELLINGS[spelling]?.(key)

function add(map: Map<string, ValuePlace[]>, key: string, place: ValuePlace): void {
  const places = map.get(key)
  if (places === undefined) map.set(key, [place])
  else places.push(place)
}
