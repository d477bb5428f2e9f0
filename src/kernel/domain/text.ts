// Matches Python's str.strip and len, which define the decision format: control separators count as space, and length
// is in code points.
const SPACE = /^[\s\x1c-\x1f\x85]$/

export function strip(text: string): string {
  let start = 0
  while (start < text.length && SPACE.test(text[start]!)) start++
  return stripEnd(text.slice(start))
}

/** Scans backwards: a pattern that ends in `$` would scan every run of spaces once for each of its characters. */
export function stripEnd(text: string): string {
  let end = text.length
  while (end > 0 && SPACE.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** First `count` code points; never half a surrogate pair. */
export function head(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let taken = 0; taken < count && end < text.length; taken++) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return text.slice(0, end)
}

export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Cuts to `count` code points and marks the cut. */
export const ellipsis = (text: string, count: number): string =>
  codePoints(text) <= count ? text : `${stripEnd(head(text, count - 1))}…`

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** `512 bytes`, `3.4 MB`, `12 GB`. */
export function inBytes(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  const amount = bytes / 1024 ** power
  return `${power === 0 || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${SIZES[power]}`
}

const SIZES = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/**
 * Removes blocks in one pass: a pattern would search for the end of each block again, which takes quadratic time. A
 * block without an end stays unchanged.
 */
export function withoutBlocks(text: string, open: string, close: string): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length)
    if (end < 0) return parts.join('') + text.slice(at)
    parts.push(text.slice(at, start))
    at = end + close.length
  }
}
