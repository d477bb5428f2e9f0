import { ASCII, foldLetters } from './fold.ts'
import { stemByScript } from './language.ts'
import { stem } from './stem.ts'

/** One word of a text: its stored token, and the pieces of an identifier, which are stored too. */
export interface Word {
  readonly raw: string
  readonly term: string
  readonly parts: readonly string[]
  /**
   * Additional tokens that a document stores: a Chinese character may be a whole word and be searched for on its own.
   */
  readonly singles?: readonly string[]
}

/** Maximum length of a token; a longer word is represented by its beginning. */
export const MAX_TOKEN = 64

/** Splits a run into words: ASCII letters, digits and `_` (or `C++`, `C#`), mixed with anything non-ASCII. */
export function splitRun(run: string): Word[] {
  return ASCII.test(run) ? asciiWords(run) : foldedWords(run)
}

/** Tokens that a document stores for a word. */
export function storedTokens({ raw, term, parts, singles = [] }: Word): readonly string[] {
  if (/^[a-z]$/.test(term) && !isOneLetterName(raw)) return []
  return [...singles, ...parts, term]
}

/**
 * Whether a single letter is a name. Only capitals are ("C", "R", "plan B"): a lower-case one is a variable or the rest
 * of "it's".
 */
const isOneLetterName = (raw: string) => /^_*[B-HJ-Z]_*$/.test(raw)

function asciiWords(raw: string): Word[] {
  if (PLAIN.test(raw)) return [{ raw, term: stem(raw.toLowerCase()), parts: [] }]
  if (raw.endsWith('+') || raw.endsWith('#')) return [{ raw, term: raw.toLowerCase(), parts: [] }]
  const pieces = raw.match(PIECE)
  if (!pieces) return []
  const joined = pieces.join('').toLowerCase()
  if (pieces.length === 1 || isOpaque(pieces, joined))
    return [{ raw, term: stem(joined.slice(0, MAX_TOKEN)), parts: [] }]
  const parts = pieces.filter((piece) => piece.length > 1).map((piece) => stem(piece.toLowerCase()))
  return [{ raw, term: stem(joined), parts }]
}

const PLAIN = /^[A-Z]?[a-z]{1,63}$/

// Matches, in order: "URLs", "HTTP" of "HTTPServer", "Server", digits.
const PIECE = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/** Whether a word is a hash or base64, which splits into many meaningless pieces that would flood the index. */
const isOpaque = (pieces: readonly string[], joined: string) =>
  joined.length > MAX_TOKEN || (pieces.length > 4 && joined.length < 3 * pieces.length)

function foldedWords(raw: string): Word[] {
  const words = (CYRILLIC.test(raw) ? raw.normalize('NFC').replace(STRESS, '') : foldLetters(raw)).match(WORD) ?? []
  const pieces = words.flatMap((word) => word.match(SCRIPT_RUN) ?? [])
  return pieces.flatMap((piece) => {
    if (IS_UNSPACED.test(piece)) return bigrams(piece)
    return ASCII.test(piece) ? asciiWords(piece) : otherWords(piece)
  })
}

function otherWords(piece: string): Word[] {
  const names = piece.split('_').filter((name) => name !== '')
  return names.map((raw) => ({ raw, term: cut(foldLetters(stemByScript(raw.toLowerCase()))), parts: [] }))
}

// Endings are recognised by their й, which folding would make an и.
const CYRILLIC = /\p{Script=Cyrillic}/u
const STRESS = /[\u0300-\u036f]/g

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*/gu

// Includes Korean, because its endings attach to the word.
/** Character class of scripts written without spaces. */
export const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmr}\\p{scx=Mymr}]'
const SCRIPT_RUN = new RegExp(`${UNSPACED}+|(?:(?!${UNSPACED}).)+`, 'gu')
const IS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u')

const HAN = /\p{Script=Han}/u

function bigrams(run: string): Word[] {
  const characters = [...run]
  if (characters.length === 1) return [{ raw: run, term: run, parts: [] }]
  return characters.slice(1).map((character, i) => {
    const pair = `${characters[i]}${character}`
    return {
      raw: pair,
      term: pair,
      parts: [],
      singles: (i === 0 ? [characters[0]!, character] : [character]).filter((one) => HAN.test(one)),
    }
  })
}

const cut = (term: string) => (term.length > MAX_TOKEN ? [...term].slice(0, MAX_TOKEN / 2).join('') : term)
