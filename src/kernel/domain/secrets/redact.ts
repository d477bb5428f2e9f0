import { findEncoded } from './encodings.ts'
import { isPublished, isWordy } from './judge.ts'
import { NAME_BEGINNINGS, openNamedValues } from './named-values.ts'
import { findInPlaces, openPlaces, PLACE_MARKS } from './places.ts'
import { openScan } from './scan.ts'
import { findQuotedSeeds } from './seed-phrases.ts'
import type { Span } from './spans.ts'
import { firstTwo, KINDS_AT, MARKED, SHORTEST_TOKEN } from './token-kinds.ts'
import { findInViews } from './views.ts'

export interface Redacted {
  readonly text: string
  /** Number of secrets removed. */
  readonly count: number
}

/**
 * Replaces every secret in the text by `[redacted]`; line breaks inside a secret stay, so that line numbers do not
 * change. Idempotent. Takes linear time for any text.
 */
export function redactSecrets(text: string): Redacted {
  const spans = secretSpans(text)
  return spans.length === 0 ? { text, count: 0 } : mask(text, spans)
}

type Add = (span: Span) => void

/** Spans of the secrets in a text, in order and without overlap. */
export function secretSpans(text: string): readonly Span[] {
  if (text.length < SHORTEST) return []
  const spans: Span[] = []
  const add: Add = (span) => void spans.push(span)
  findWritten(text, add, (run) => findEncoded(text, run, holdsSecret, add))
  const written = joinOverlapping(spans)
  const find = {
    all: (view: string, found: Add) => findWritten(view, found),
    tokens: (view: string, found: Add) => findTokens(view, found),
  }
  findInViews(text, find, (span) => {
    if (!isKnownBefore(written, span)) add(span)
  })
  return spans.length === 0 ? spans : joinOverlapping(spans)
}

/** Finds secrets that are in the text literally. */
function findWritten(text: string, add: Add, decode?: (run: Span) => number): void {
  findTokens(text, add, decode)
  const [readName, lookAround] = [openNamedValues(text, add), openPlaces(text, add)]
  scanBeginnings(text, (at, groups) => {
    if ((groups & 1) !== 0) readName(at)
    if ((groups & 2) !== 0) lookAround(at)
  })
  findInPlaces(text, add)
  findQuotedSeeds(text, add)
}

const scanBeginnings = openScan(NAME_BEGINNINGS, PLACE_MARKS)

function holdsSecret(text: string): boolean {
  let isFound = false
  findWritten(text, () => (isFound = true))
  return isFound
}

/** Whether a known token ends inside the span: a complete token does not continue on the next line. */
function isKnownBefore(spans: readonly Span[], [from, to]: Span): boolean {
  let low = 0
  for (let high = spans.length; low < high;) {
    const middle = (low + high) >> 1
    if (spans[middle]![1] > from) high = middle
    else low = middle + 1
  }
  const known = spans[low]
  return known !== undefined && known[0] <= from && known[1] < to
}

// `pw=` and six characters.
const SHORTEST = 9

const IS_RUN = new Uint8Array(0x10000)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.~:%|$@?&')
  IS_RUN[character.charCodeAt(0)] = 1

/** Whether a character may be part of a token or of encoded text. */
export const isRunCharacter = (code: number): boolean => IS_RUN[code] === 1

/**
 * Checks only every twentieth character: a run long enough for a token always contains one of them. `decode` also gets
 * every such run, and returns the position to continue at.
 */
function findTokens(text: string, add: Add, decode?: (run: Span) => number): void {
  const { length } = text
  for (let at = SHORTEST_TOKEN - 1; at < length;) {
    if (IS_RUN[text.charCodeAt(at)] === 0) {
      at += SHORTEST_TOKEN
      continue
    }
    let from = at
    while (from > 0 && IS_RUN[text.charCodeAt(from - 1)] === 1) from--
    let to = at + 1
    while (to < length && IS_RUN[text.charCodeAt(to)] === 1) to++
    if (to - from >= SHORTEST_TOKEN) {
      findInRun(text, from, to, add)
      if (decode !== undefined) to = decode([from, to])
    }
    at = to + SHORTEST_TOKEN
  }
}

function findInRun(text: string, from: number, to: number, add: Add): void {
  const accept = (start: number, token: string) => {
    if (!isPublished(token) && !isWordy(token)) add([start, start + token.length])
  }
  const start = from + escapeBefore(text, from)
  let isInside = false
  let failures = MOST_FAILURES + ((to - from) >> 6)
  for (let at = start; failures > 0 && at < to - SHORTEST_TOKEN + 1; at++) {
    const code = text.charCodeAt(at)
    const kinds = isInside ? undefined : KINDS_AT.get(firstTwo(code, text.charCodeAt(at + 1)))
    isInside = isAlphanumeric(code) && !isPercentEncoded(text, at)
    if (kinds === undefined) continue
    kinds.lastIndex = at
    const token = kinds.exec(text)?.[0]
    if (token === undefined) {
      failures--
      continue
    }
    accept(at, token)
    at += token.length - 1
  }
  if (to - from < SHORTEST_MARKED) return
  const run = text.slice(start, to)
  for (const { mark, least, pattern } of MARKED) {
    if (run.length < least || !run.includes(mark)) continue
    for (const { 0: token, index } of run.matchAll(pattern)) accept(start + index, token)
  }
}

// A run with more failed token beginnings than this is crafted to cost time.
const MOST_FAILURES = 256

const SHORTEST_MARKED = MARKED.reduce((shortest, { least }) => Math.min(shortest, least), Infinity)

const isAlphanumeric = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)

/** Whether a character is the second digit of an escape such as `%3D`: a token may start after it. */
const isPercentEncoded = (text: string, at: number): boolean => text[at - 2] === '%'

/**
 * Length of the end of an escape before a token: `\n` of a JSON text, `\u0022`, or a terminal colour. Its last letter
 * would precede the token.
 */
function escapeBefore(text: string, from: number): number {
  const before = text[from - 1]
  if (before === '\\') return text[from] === 'u' ? 5 : 1
  return before === '[' || before === ';' ? (/^\d{1,3}m/.exec(text.slice(from, from + 4))?.[0].length ?? 0) : 0
}

function joinOverlapping(spans: readonly Span[]): readonly Span[] {
  const joined: [number, number][] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = joined.at(-1)
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

function mask(text: string, spans: readonly Span[]): Redacted {
  let masked = ''
  let end = 0
  for (const [from, to] of spans) {
    masked += `${text.slice(end, from)}[redacted]${text.slice(from, to).replaceAll(/[^\n]+/g, '')}`
    end = to
  }
  return { text: masked + text.slice(end), count: spans.length }
}

/** `redactSecrets` as a redactor object. */
export const secretRedactor = { redact: async (text: string): Promise<Redacted> => redactSecrets(text) }
