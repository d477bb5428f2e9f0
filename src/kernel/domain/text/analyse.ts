import { QUERY_STOP_WORDS } from './decision-tokens.ts'
import { foldLetters } from './fold.ts'
import { commonIn, isFiller, languageOf, stemIn, type Language } from './language.ts'
import { cacheSlices, codesOf, mixHash } from './slice-cache.ts'
import { MAX_TOKEN, splitRun, storedTokens, type Word } from './split-run.ts'
import { stem } from './stem.ts'

/**
 * FTS5 tokenizer that keeps the tokens: joined by spaces, they are split into the same tokens again. Tokens are
 * lower-case ASCII letters, digits and `. / : + #`, or contain non-ASCII characters, and the `ascii` tokenizer treats
 * all of those as part of a token.
 */
export const FTS5_TOKENIZER = "ascii tokenchars './:+#'"

/** One word of a query. A document matches if it has the token `term`, or all parts, if there are any. */
export interface QueryTerm {
  /** The word as typed. */
  readonly word: string
  readonly term: string
  /** Pieces of an identifier, a path or a hyphenated word; empty for a plain word. */
  readonly parts: readonly string[]
  /** The only part is the stem in the query's language; texts in that language are indexed by the same stem. */
  readonly isInflected?: true
}

/** Tokens by number, in text order: numbers are counted and compared several times faster than strings. */
export interface TokenList {
  numbers: Uint32Array
  size: number
}

/**
 * Appends the index tokens of a document, in order, including repeats. Identifiers and paths yield their pieces and
 * themselves: `src/userName.ts` → src, user, name, usernam, ts, username.ts, src/username.ts.
 */
export function appendTokens(text: string, to: TokenList): void {
  const add = (found: number | readonly number[]) => {
    if (typeof found === 'number') push(to, found)
    else for (const number of found) push(to, number)
  }
  const codes = codesOf(text)
  scan(
    codes,
    (start, end, hash) => add(runTokens.get(codes, start, end, hash)),
    (start, end) => add(compoundTokens.get(codes, start, end)),
  )
}

/** Appends one token unchanged. */
export const appendTerm = (term: string, to: TokenList): void => push(to, tokenNumber(term))

/** Appends the stems of a text in its own language, if that is one with Latin letters other than English. */
export function appendInflections(text: TokenList): void {
  const { size } = text
  const language = languageOf(commonTokens(text), size)
  if (language === undefined) return
  for (let i = 0; i < size; i++) {
    const inflected = inflectedToken(language, text.numbers[i]!)
    if (inflected !== text.numbers[i]) push(text, inflected)
  }
}

function* commonTokens({ numbers, size }: TokenList): Generator<number> {
  for (let i = 0; i < size; i++) {
    const number = numbers[i]!
    yield (common[number] ??= commonIn(texts[number]!))
  }
}

/** For each token: whether it is a common word, and its stem in each language. */
const common: number[] = []
const inflected = new Map<Language, number[]>()

function inflectedToken(language: Language, number: number): number {
  let known = inflected.get(language)
  if (known === undefined) inflected.set(language, (known = []))
  return (known[number] ??= tokenNumber(stemIn(language, texts[number]!)))
}

function push(to: TokenList, number: number): void {
  if (to.size === to.numbers.length) to.numbers = widen(to.numbers)
  to.numbers[to.size++] = number
}

/** Index tokens as strings. Do not call between the chunks of a batch: it may renumber tokens. */
export function analyse(text: string): string[] {
  forgetOldTokens()
  spare.size = 0
  appendTokens(text, spare)
  return Array.from({ length: spare.size }, (_, i) => tokenText(spare.numbers[i]!))
}

/** Counts how many of the given tokens each text contains. */
export function openTokenCounter(wanted: Iterable<string>): (text: string) => number {
  forgetOldTokens()
  const numbers = new Set(Array.from(wanted, tokenNumber))
  return (text) => {
    spare.size = 0
    appendTokens(text, spare)
    const found = new Set<number>()
    for (let i = 0; i < spare.size; i++) if (numbers.has(spare.numbers[i]!)) found.add(spare.numbers[i]!)
    return found.size
  }
}

export const newTokenList = (): TokenList => ({ numbers: new Uint32Array(1024), size: 0 })
const spare = newTokenList()

const numbers = new Map<string, number>()
const texts: string[] = []

export const tokenText = (number: number): string => texts[number]!

// Limit of the vocabulary, which would otherwise leak memory; one batch needs a tenth of this.
const MOST_TOKENS = 400_000

/** Discards all tokens above the limit. Previously assigned numbers become invalid, so callers must not keep any. */
export function forgetOldTokens(): void {
  if (texts.length <= MOST_TOKENS) return
  numbers.clear()
  texts.length = 0
  common.length = 0
  inflected.clear()
  runTokens.clear()
  compoundTokens.clear()
}

function tokenNumber(text: string): number {
  let number = numbers.get(text)
  if (number === undefined) {
    numbers.set(text, (number = texts.length))
    texts.push(text)
  }
  return number
}

/** A single token is stored without an array: most words of a text have only one. */
const runTokens = cacheSlices(131_072, (run): number | readonly number[] => {
  const tokens = splitRun(run).flatMap(storedTokens).map(tokenNumber)
  return tokens.length === 1 ? tokens[0]! : tokens
})

/** Words of a query, deduplicated. Filler words count only if there is nothing else. */
export function analyseQuery(text: string): QueryTerm[] {
  const words = queryWords(text)
  const telling = words.filter(({ raw, parts }) => parts.length > 0 || !QUERY_STOP_WORDS.has(raw.toLowerCase()))
  const language = languageOf(
    words.map(({ term }) => commonIn(term)),
    words.length,
    { kind: 'question', english: words.length - telling.length },
  )
  const own = language === undefined ? telling : telling.filter(({ term }) => !isFiller(language, term))
  const [kept] = [own, telling, words].filter((some) => some.length > 0)
  const terms = (kept ?? []).map(({ raw, term, parts }) => inflect({ word: raw, term, parts }, language))
  return [...new Map(terms.map((term) => [term.term, term])).values()]
}

function inflect(one: QueryTerm, language: Language | undefined): QueryTerm {
  if (language === undefined || one.parts.length > 0) return one
  const stem = stemIn(language, one.term)
  return stem === one.term ? one : { ...one, parts: [stem], isInflected: true }
}

function queryWords(text: string): Word[] {
  const runs: Word[][] = []
  const codes = codesOf(text)
  scan(
    codes,
    (start, end) => runs.push(splitRun(text.slice(start, end))),
    (start, end, count) => {
      const term = compoundTokens.get(codes, start, end).map(tokenText).at(-1)
      if (term === undefined) return
      const pieces = runs
        .splice(-count)
        .flat()
        .flatMap(({ term, parts }) => (parts.length > 0 ? parts : [term]))
      // Documents store no single lower-case letters, so a query must not require one.
      runs.push([{ raw: text.slice(start, end), term, parts: pieces.filter((piece) => !/^[a-z]$/.test(piece)) }])
    },
  )
  return runs.flat()
}

/** Tokens used to score a query. A compound missing in the index is scored only by its parts. */
export function scoringTokens(query: readonly QueryTerm[], isIndexed: (token: string) => boolean): string[] {
  const tokens = query.flatMap(({ term, parts, isInflected }) => {
    if (isInflected) return isIndexed(parts[0]!) ? [term, ...parts].filter(isIndexed) : [term]
    return parts.length === 0 || isIndexed(term) ? [term, ...parts] : parts
  })
  return [...new Set(tokens)]
}

/** Visits every run of word characters, and then the compound that `-`, `.`, `/`, `\` or `::` form of several runs. */
function scan(
  codes: Uint16Array,
  onRun: (start: number, end: number, hash: number | undefined) => void,
  onCompound: (start: number, end: number, runs: number) => void,
): void {
  for (let at = 0; at < codes.length;) {
    if (WORD_CODES[codes[at]!] === 0) {
      at++
      continue
    }
    const start = at
    let runs = 0
    for (let next = at; next !== -1; next = afterJoint(codes, at)) {
      let hash = 0
      let code = codes[next]!
      for (at = next; WORD_CODES[code] === 1; code = codes[++at]!) hash = mixHash(hash, code)
      const sign = at === next + 1 ? signLength(codes, next) : 0
      at += sign
      onRun(next, at, sign === 0 ? hash : undefined)
      runs++
    }
    if (runs > 1) onCompound(start, at, runs)
  }
}

/** 1 for letters, digits, `_` and everything non-ASCII. */
const WORD_CODES = new Uint8Array(0x10000).fill(1).fill(0, 0, 128)
for (const letter of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz')
  WORD_CODES[letter.charCodeAt(0)] = 1

/** Length of the symbols after a one-letter language name: C++, C#, F#. */
function signLength(codes: Uint16Array, at: number): number {
  const letter = codes[at]! | 0x20
  if (letter === 0x63 /* c */ && codes[at + 1] === 0x2b && codes[at + 2] === 0x2b) return 2
  return (letter === 0x63 || letter === 0x66) /* c f */ && codes[at + 1] === 0x23 ? 1 : 0
}

/** Start of the next run if a joint at `at` connects it to the previous run; otherwise -1. */
function afterJoint(codes: Uint16Array, at: number): number {
  const code = codes[at]
  const isColons = code === 0x3a && codes[at + 1] === 0x3a
  if (!isColons && code !== 0x2d && code !== 0x2e && code !== 0x2f && code !== 0x5c) return -1
  const next = isColons ? at + 2 : at + 1
  return WORD_CODES[codes[next]!] === 1 ? next : -1
}

/** Compound as one token, the same for user-name, user_name and userName; preceded by the file name of a path. */
const compoundTokens = cacheSlices(16_384, (compound): readonly number[] => {
  const whole = compound.length > MAX_COMPOUND ? undefined : wholeToken(compound)
  if (whole === undefined) return []
  const name = /[/\\]([^/\\]*[-.][^/\\]*)$/.exec(compound)?.[1]
  const nameToken = name === undefined ? undefined : wholeToken(name)
  return (nameToken === undefined ? [whole] : [nameToken, whole]).map(tokenNumber)
})

function wholeToken(compound: string): string | undefined {
  const folded = foldLetters(compound)
  const whole = folded.toLowerCase().replace(/[-_]/g, '').replaceAll('\\', '/')
  // Folding may produce spaces and brackets, which are not token characters.
  if (!/^[\w./:+#]+$/.test(whole)) return undefined
  return /[./:]/.test(whole) ? whole : stem(whole.slice(0, MAX_TOKEN))
}

/** Longer paths and base64 are indexed only by their pieces. */
const MAX_COMPOUND = 128

/** Copy with twice the capacity. */
export function widen(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(array.length * 2)
  wider.set(array)
  return wider
}
