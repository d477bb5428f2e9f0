import { withoutCitations } from '../../analyst/domain/citation/read-citations.ts'

/**
 * Whether an answer contains these words in sequence, as a reader sees them: ignores case, white space, emphasis,
 * quotation marks and thousands separators. A number must be complete: 12 is not in 1,212.
 */
export function saysWords(answer: string, words: string): boolean {
  const [text, wanted] = [readable(answer), readable(words)]
  if (wanted === '') return true
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (!goesOn(text, at, wanted)) return true
  return false
}

/** Normalises characters that look the same, and removes text that is not shown. */
export const readable = (text: string): string =>
  withoutCitations(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’‚‛′`´]/g, "'")
    .replaceAll(/[“”„‟«»″]/g, '"')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/[\u200B-\u200D\u2060\uFEFF\u00AD]/g, '')
    .replaceAll(/(?<!\p{L}|\p{N})[*_]{1,3}|[*_]{1,3}(?!\p{L}|\p{N})/gu, '')
    .replaceAll(/(?<=\d)[,'](?=\d{3}(?!\d))/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Whether a number is only part of another one. */
function goesOn(text: string, at: number, wanted: string): boolean {
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + wanted.length, at + wanted.length + 2)]
  const isCutBefore = /^\d/.test(wanted) && /(?:\d|\d[.,])$/.test(before)
  const isCutAfter = /\d$/.test(wanted) && /^(?:\d|[.,]\d)/.test(after)
  return isCutBefore || isCutAfter
}
