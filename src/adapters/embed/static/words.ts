// A chunk is far shorter; whatever comes as one endless text costs no more than this.
const MAX_TEXT = 50_000

/**
 * The words of a text as they stand there, in order: runs of letters and digits without accents, one ideograph at a
 * time. Case is kept, so that `splitName` can still see camelCase. scripts/static-model/fit.py reads text in exactly
 * the same way.
 */
export function wordsOf(text: string): readonly string[] {
  const start = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  if (!BEYOND_ASCII.test(start)) return start.match(ASCII_WORD) ?? []
  return start.normalize('NFD').replace(ACCENT, '').match(ANY_WORD) ?? []
}

/** `parseHTTPRequest2` → parse, http, request, 2. */
export function splitName(word: string): readonly string[] {
  return (word.match(NAME_PART) ?? []).map((part) => part.toLowerCase())
}

const BEYOND_ASCII = /[^ -~\s]/
const ASCII_WORD = /[A-Za-z0-9]+/g
const ACCENT = /\p{Mn}/gu
const ANY_WORD = /(?:(?!\p{Script=Han})[\p{L}\p{N}])+|\p{Script=Han}/gu
const NAME_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu
