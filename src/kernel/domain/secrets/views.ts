import type { Span } from './spans.ts'

type Add = (span: Span) => void
type Find = (text: string, add: Add) => void

/** Part of the original text and its decoded text. */
interface Piece {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Finds secrets that are split: by invisible characters, as escapes, as literals that code concatenates, letter by
 * letter, or wrapped at the end of a line. Each is joined and judged like any other text; only a secret that spans a
 * seam counts, since the rest is found directly.
 */
export function findInViews(text: string, { all, tokens }: { all: Find; tokens: Find }, add: Add): void {
  const judge = (pieces: readonly Piece[], find = all) => judgeView(pieces, find, add)
  if (BEYOND_LATIN.test(text) && text.search(HIDDEN) >= 0) judge(splitAt(text, HIDDEN_ALL))
  if (ESCAPES.some((escape) => text.includes(escape))) findEscapes(text, judge)
  findLiterals(text, judge)
  if (JOINS.some((join) => text.includes(join))) findJoinedLists(text, judge)
  findSpelledOut(text, (pieces) => judge(pieces, tokens))
  findWrapped(text, (pieces) => judge(pieces, tokens))
}

type Judge = (pieces: readonly Piece[]) => void

function judgeView(pieces: readonly Piece[], find: Find, add: Add): void {
  const starts: number[] = []
  let joined = ''
  for (const piece of pieces) {
    starts.push(joined.length)
    joined += piece.text
  }
  const pieceAt = (at: number): number => {
    let low = 0
    for (let high = starts.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle - 1
    }
    return low
  }
  find(joined, ([from, to]) => {
    const [first, last] = [pieceAt(from), pieceAt(to - 1)]
    const [a, b] = [pieces[first]!, pieces[last]!]
    const isSpelled = a.text.length !== a.to - a.from
    if (first === last && !isSpelled) return
    add([
      isSpelled ? a.from : a.from + from - starts[first]!,
      b.text.length === b.to - b.from ? b.from + to - starts[last]! : b.to,
    ])
  })
}

// Most texts have none of these; this check is faster than looking for hidden characters.
const BEYOND_LATIN = /\u00AD|[\u0300-\uFFFF]/
const HIDDEN = /\p{Default_Ignorable_Code_Point}/u
const HIDDEN_ALL = new RegExp(`${HIDDEN.source}+`, 'gu')

function splitAt(text: string, seam: RegExp, offset = 0): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: gap, index } of text.matchAll(seam)) {
    if (index > from) pieces.push({ from: offset + from, to: offset + index, text: text.slice(from, index) })
    from = index + gap.length
  }
  if (from < text.length) pieces.push({ from: offset + from, to: offset + text.length, text: text.slice(from) })
  return pieces
}

const ESCAPE = /\\x[2-7][0-9a-f]|\\u00[2-7][0-9a-f]|\\u\{[2-7][0-9a-f]\}|%[2-7][0-9a-f]|&#(?:x[2-7][0-9a-f]|\d{2,3});/gi
const ESCAPES = ['\\x', '\\u00', '\\u{', '&#', '%']
const LONGEST_STRETCH = 4_096

/**
 * Finds characters written as numeric escapes, as in JSON, URLs and HTML, and decodes them with everything adjacent up
 * to a space.
 */
function findEscapes(text: string, judge: Judge): void {
  let done = 0
  ESCAPE.lastIndex = 0
  for (let hit = ESCAPE.exec(text); hit !== null; hit = ESCAPE.exec(text)) {
    let from = hit.index
    while (from > done && hit.index - from < 256 && !isSpace(text.charCodeAt(from - 1))) from--
    let to = ESCAPE.lastIndex
    while (to < text.length && to - hit.index < LONGEST_STRETCH && !isSpace(text.charCodeAt(to))) to++
    done = to
    if (to - from >= SHORTEST) judge(unescaped(text.slice(from, to), from))
    ESCAPE.lastIndex = to
  }
}

function unescaped(stretch: string, offset: number): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  const plain = (to: number) => {
    if (to > end) pieces.push({ from: offset + end, to: offset + to, text: stretch.slice(end, to) })
  }
  ESCAPE.lastIndex = 0
  for (const { 0: escape, index } of stretch.matchAll(ESCAPE)) {
    plain(index)
    end = index + escape.length
    const code = /^&#\d/.test(escape)
      ? Number.parseInt(escape.slice(2), 10)
      : Number.parseInt(/[0-9a-f]{2}(?=[};]?$)/i.exec(escape)![0], 16)
    pieces.push({ from: offset + index, to: offset + end, text: String.fromCharCode(code) })
  }
  plain(stretch.length)
  return pieces
}

const SHORTEST = 9
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

// End of one literal and start of the next, or a line continued by a backslash.
const SEAM =
  /["'`](?:[ \t]{0,40}(?:\+{1,2}|\.{1,2}|&|\|\||<>|~)\s{0,60}|[ \t]{1,40}|[ \t]{0,40}\\?\r?\n\s{0,60}(?:(?:\+|\.|&|\|\|)[ \t]{0,8})?)[fbru]?["'`]|\\\r?\n[ \t]{0,40}/g
const LONGEST_LITERAL = 400

function findLiterals(text: string, judge: Judge): void {
  let chain: [from: number, to: number] | undefined
  let done = 0
  const close = () => {
    if (chain === undefined) return
    const [first, last] = chain
    const start = Math.max(done, first - LONGEST_LITERAL)
    const from = start + text.slice(start, first).lastIndexOf('\n') + 1
    const to = endOfLiteral(text, last)
    done = to
    judge(splitAt(text.slice(from, to), SEAM, from))
  }
  for (const { 0: seam, index } of text.matchAll(SEAM)) {
    if (chain !== undefined && endOfLiteral(text, chain[1]) > index) chain[1] = index + seam.length
    else {
      close()
      chain = [index, index + seam.length]
    }
  }
  close()
}

function endOfLiteral(text: string, at: number): number {
  let end = at
  while (end < text.length && end - at < LONGEST_LITERAL && !/["'`\n]/.test(text[end]!)) end++
  return Math.min(text.length, end + 1)
}

/** `['a', 'b'].join('')`, `''.join(['a', 'b'])`, `implode('', ['a', 'b'])`. */
function findJoinedLists(text: string, judge: Judge): void {
  let done = 0
  for (const { 0: call, index } of text.matchAll(JOINED)) {
    const after = index + call.length
    const isBefore = call.startsWith(']')
    const start = Math.max(done, index - LONGEST_STRETCH)
    const from = isBefore ? start + text.slice(start, index).lastIndexOf('[') + 1 : after
    const to = isBefore ? index : text.slice(after, after + LONGEST_STRETCH).search(/[\])]/) + after
    if (from < done || to <= from) continue
    done = to
    judge(
      Array.from(text.slice(from, to).matchAll(/(["'`])([^"'`\n]{1,400})\1/g), (literal) => {
        const start = from + literal.index + 1
        return { from: start, to: start + literal[2]!.length, text: literal[2]! }
      }),
    )
  }
}

const JOINS = ['.join(', 'implode(']
const JOINED = /\]\.join\((?:''|""|``)\)|(?:''|"")\.join\([[(]|implode\((?:''|""), ?(?:\[|array\()/g

/**
 * Finds text with a separator after every character. Checks one position in every SPELLED, because such a run always
 * contains one.
 */
function findSpelledOut(text: string, judge: Judge): void {
  for (let at = SPELLED; at + 4 < text.length; at += SPELLED) {
    const middle = isSeparated(text, at) ? at : isSeparated(text, at + 1) ? at + 1 : -1
    if (middle < 0) continue
    const separator = text.charCodeAt(middle)
    let from = middle
    while (from >= 2 && text.charCodeAt(from - 2) === separator && text.charCodeAt(from - 1) !== separator) from -= 2
    let to = middle
    while (text.charCodeAt(to + 2) === separator && text.charCodeAt(to + 1) !== separator) to += 2
    at = Math.max(at, to)
    if (to - from < SPELLED) continue
    const pieces: Piece[] = []
    for (let place = from - 1; place <= to + 1 && place < text.length; place += 2)
      // Excludes the end of the previous word and the start of the next.
      if (
        place >= 0 &&
        !(isWord(text.charCodeAt(place - 1)) && place < from) &&
        !(isWord(text.charCodeAt(place + 1)) && place > to)
      )
        pieces.push({ from: place, to: place + 1, text: text[place]! })
    judge(pieces)
  }
}

// Distance from the first to the last separator of twenty characters.
const SPELLED = 36

const isSeparated = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return (
    SEPARATORS.has(code) &&
    text.charCodeAt(at + 2) === code &&
    text.charCodeAt(at - 2) === code &&
    text.charCodeAt(at + 1) !== code
  )
}

const SEPARATORS = new Set(Array.from(' -._,;:|/·•*~\u00A0', (character) => character.charCodeAt(0)))

/** Finds tokens that a terminal or a mail wrapped at the end of a line. */
function findWrapped(text: string, judge: Judge): void {
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    const last = text.charCodeAt(end - 1) === 13 ? end - 1 : end
    if (!isWord(text.charCodeAt(last - 1)) || !isWord(text.charCodeAt(end + 1))) continue
    let from = last
    while (from > 0 && last - from < 300 && isWord(text.charCodeAt(from - 1))) from--
    if (last - from < 12) continue
    let to = end + 1
    while (to < text.length && to - end < 300 && isWord(text.charCodeAt(to))) to++
    if (to - end < 5) continue
    judge([
      { from, to: last, text: text.slice(from, last) },
      { from: end + 1, to, text: text.slice(end + 1, to) },
    ])
  }
}

/** Letters, digits, `_` and `-`. */
const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45
