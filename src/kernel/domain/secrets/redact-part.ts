import { isRunCharacter, redactSecrets, secretSpans } from './redact.ts'

/**
 * Redacts a part of a text as if the whole was redacted, for much less cost. Both ends must be starts of lines, or the
 * end of the text: the name of a secret may be some lines before the part, and a key block far above it.
 */
export function redactPart(text: string, from: number, to: number): string {
  const start = startOfLine(text, openBlockBefore(text, from))
  const before = lineEnds(text, start, from)
  const lines = lineEnds(text, from, to)
  const clean = redactSecrets(text.slice(start, endOfLine(text, to + REACH))).text
  const begin = afterLines(clean, 0, before)
  return clean.slice(begin, to >= text.length ? undefined : afterLines(clean, begin, lines))
}

/**
 * Redacts a part that may begin and end inside a line, as if the whole was redacted. Leaves out a run of letters and
 * digits that goes on further than `LONGEST_BLOCK`: it may hold a secret that only the whole run shows.
 */
export function redactWithin(text: string, from: number, to: number): string {
  let start = Math.max(0, openBlockBefore(text, from))
  let end = Math.min(text.length, to + REACH)
  const [first, last] = [Math.max(0, start - LONGEST_BLOCK), Math.min(text.length, end + LONGEST_BLOCK)]
  while (start > first && isInRun(text, start)) start--
  while (end < last && isInRun(text, end)) end++
  if (start === first) while (start < end && isInRun(text, start)) start++
  if (end === last) while (end > start && isInRun(text, end)) end--
  let clean = ''
  let at = Math.max(from, start)
  const stop = Math.min(to, end)
  for (const span of secretSpans(text.slice(start, end))) {
    const [begins, ends] = [span[0] + start, span[1] + start]
    if (ends <= at || begins >= stop) continue
    clean += `${text.slice(at, Math.max(at, begins))}[redacted]`
    at = ends
  }
  return clean + text.slice(at, Math.max(at, stop))
}

/** Whether a position is between two characters of a run. */
const isInRun = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isRunCharacter(text.charCodeAt(at - 1)) && isRunCharacter(text.charCodeAt(at))

// Further than any pattern reaches.
const REACH = 4_200
const LONGEST_BLOCK = 40_000
const MARK = '-----BEGIN '

/** Start of a key block that is still open here; the position itself if no block is open. */
function openBlockBefore(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST_BLOCK)
  // Searched only as far as a block may reach: most texts have none, and would be searched to their beginning.
  const begin = text.slice(from, at + MARK.length).lastIndexOf(MARK)
  return begin >= 0 ? Math.min(from + begin, at - REACH) : at - REACH
}

const startOfLine = (text: string, at: number): number => (at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

function endOfLine(text: string, at: number): number {
  const end = at >= text.length ? -1 : text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

function afterLines(text: string, from: number, lines: number): number {
  let at = from
  for (let i = 0; i < lines; i++) at = text.indexOf('\n', at) + 1
  return at
}
