import { foldLetters } from './fold.ts'
import { QUERY_STOP_WORDS } from './query-stop-words.ts'
import { cacheSlices, mixHash } from './slice-cache.ts'
import { MAX_TOKEN, splitRun, storedTokens, type Word } from './split-run.ts'
import { stem } from './stem.ts'

/**
 * How FTS5 must read the tokens: joined by spaces they come back one for one. Tokens are lower-case ASCII letters, digits and
 * `. / : + #`, or hold characters beyond ASCII, and the `ascii` tokenizer takes every one of those as part of a token.
 */
export const FTS5_TOKENIZER = "ascii tokenchars './:+#'"

/** One word of a query. A document matches it when it has the token `term`, or, where there are parts, all of them. */
export interface QueryTerm {
  /** The word as it was typed. */
  readonly word: string
  readonly term: string
  /** The pieces of an identifier, a path or a hyphenated word; empty for a plain word. */
  readonly parts: readonly string[]
}

/**
 * The index tokens of a document, in order, repeats kept. Identifiers and paths give their pieces and themselves:
 * `src/userName.ts` → src, user, name, usernam, ts, username.ts, src/username.ts.
 */
export function analyse(text: string): string[] {
  const tokens: string[] = []
  const add = (found: Tokens) => {
    if (typeof found === 'string') tokens.push(found)
    else for (const token of found) tokens.push(token)
  }
  scan(text, (start, end, hash) => add(runTokens(text, start, end, hash)), (start, end) => add(compoundTokens(text, start, end)))
  return tokens
}

/** One token by itself, or several; a cached string spares most words of a text a look into an array. */
type Tokens = string | readonly string[]

const runTokens = cacheSlices(131_072, (run): Tokens => {
  const tokens = splitRun(run).flatMap(storedTokens)
  return tokens.length === 1 ? tokens[0]! : tokens
})

/** The words of a query, each once. Filler words count only when there is nothing else. */
export function analyseQuery(text: string): QueryTerm[] {
  const words = queryWords(text)
  const telling = words.filter(({ raw, parts }) => parts.length > 0 || !QUERY_STOP_WORDS.has(raw.toLowerCase()))
  const terms = (telling.length > 0 ? telling : words).map(({ raw, term, parts }) => ({ word: raw, term, parts }))
  return [...new Map(terms.map((term) => [term.term, term])).values()]
}

function queryWords(text: string): Word[] {
  const runs: Word[][] = []
  scan(
    text,
    (start, end) => runs.push(splitRun(text.slice(start, end))),
    (start, end, count) => {
      const term = compoundTokens(text, start, end).at(-1)
      if (term === undefined) return
      const pieces = runs.splice(-count).flat().flatMap(({ term, parts }) => (parts.length > 0 ? parts : [term]))
      // Documents store no single lower-case letters, so none may be demanded.
      runs.push([{ raw: text.slice(start, end), term, parts: pieces.filter((piece) => !/^[a-z]$/.test(piece)) }])
    },
  )
  return runs.flat()
}

/** The tokens to score a query by. A compound that the index does not have counts by its parts alone. */
export function scoringTokens(query: readonly QueryTerm[], isIndexed: (token: string) => boolean): string[] {
  const tokens = query.flatMap(({ term, parts }) => (parts.length === 0 || isIndexed(term) ? [term, ...parts] : parts))
  return [...new Set(tokens)]
}

/** Visits every run of word characters, and after them the compound that `-`, `.`, `/`, `\` or `::` make of several runs. */
function scan(
  text: string,
  onRun: (start: number, end: number, hash: number | undefined) => void,
  onCompound: (start: number, end: number, runs: number) => void,
): void {
  const { length } = text
  let at = 0
  while (at < length) {
    if (!isWordCode(text.charCodeAt(at))) {
      at++
      continue
    }
    const start = at
    let runs = 0
    for (let next = at; next !== -1; next = afterJoint(text, at)) {
      let hash = 0
      let code = text.charCodeAt(next)
      for (at = next; isWordCode(code); code = at < length ? text.charCodeAt(at) : 0) {
        hash = mixHash(hash, code)
        at++
      }
      const sign = at === next + 1 ? signLength(text, next) : 0
      at += sign
      onRun(next, at, sign === 0 ? hash : undefined)
      runs++
    }
    if (runs > 1) onCompound(start, at, runs)
  }
}

const WORD_CODES = Uint8Array.from({ length: 128 }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0))
const isWordCode = (code: number) => code >= 128 || WORD_CODES[code] === 1

/** How long the sign after a one-letter language name is: C++, C#, F#. */
function signLength(text: string, at: number): number {
  const letter = text.charCodeAt(at) | 0x20
  if (letter === 0x63 /* c */ && text.startsWith('++', at + 1)) return 2
  return (letter === 0x63 || letter === 0x66) /* c f */ && text[at + 1] === '#' ? 1 : 0
}

/** Where the next run begins when a joint at `at` holds it to the one before; -1 when nothing does. */
function afterJoint(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const isColons = code === 0x3a && text.charCodeAt(at + 1) === 0x3a
  if (!isColons && code !== 0x2d && code !== 0x2e && code !== 0x2f && code !== 0x5c) return -1
  const next = isColons ? at + 2 : at + 1
  return next < text.length && isWordCode(text.charCodeAt(next)) ? next : -1
}

/** The compound as one token, spelled alike for user-name, user_name and userName; before it the file name of a path. */
const compoundTokens = cacheSlices(65_536, (compound): string[] => {
  const whole = compound.length > MAX_COMPOUND ? undefined : wholeToken(compound)
  if (whole === undefined) return []
  const name = /[/\\]([^/\\]*[-.][^/\\]*)$/.exec(compound)?.[1]
  const nameToken = name === undefined ? undefined : wholeToken(name)
  return nameToken === undefined ? [whole] : [nameToken, whole]
})

function wholeToken(compound: string): string | undefined {
  const folded = foldLetters(compound)
  const whole = folded.toLowerCase().replace(/[-_]/g, '').replaceAll('\\', '/')
  // Folding may bring spaces and brackets to light, which are no token characters.
  if (!/^[\w./:+#]+$/.test(whole)) return undefined
  return /[./:]/.test(whole) ? whole : stem(whole.slice(0, MAX_TOKEN))
}

/** Longer paths and base64 are found by their pieces. */
const MAX_COMPOUND = 128
