import { ellipsis } from '../text.ts'
import { openTokenCounter, type QueryTerm } from './analyse.ts'
import { STOP_WORDS } from './decision-tokens.ts'

export const LONGEST_PIECE = 400

/** Most relevant lines of a chunk for a question, as one piece; the beginning if none is relevant. */
export function snippetOf(
  text: string,
  terms: readonly QueryTerm[],
  longest = LONGEST_PIECE,
): { text: string; line: number } {
  const countTelling = openTokenCounter(terms.flatMap(({ term, parts }) => [term, ...parts]))
  const lines = text.split('\n').map((line) => line.trimEnd())
  const start = afterFrontmatter(lines)
  const worth = lines.map((line, at) => (at < start ? 0 : countTelling(line)))
  let best = Math.max(
    start,
    lines.findIndex((line, at) => at >= start && line.trim() !== ''),
  )
  for (const [at, found] of worth.entries()) if (found > worth[best]!) best = at
  let [from, to] = [best, best + 1]
  let length = lines[best]?.length ?? 0
  // The more relevant neighbour is added first, so that the piece grows towards the question.
  while (from > start || to < lines.length) {
    const goesUp = from > start && (to >= lines.length || worth[from - 1]! > worth[to]!)
    length += lines[goesUp ? from - 1 : to]!.length + 1
    if (length > longest) break
    if (goesUp) from--
    else to++
  }
  const piece = lines.slice(from, to).join('\n').trim()
  return { text: ellipsis(piece, longest), line: from }
}

// Further places of a word are not compared: it is common, and the part has rarer ones.
const MOST_PLACES = 100
const MOST_WORDS = 32

/** Start of the part of a long text, `size` characters long, with the most different words; 0 if it has none. */
export function densestPart(text: string, words: readonly string[], size: number): number {
  const lower = text.toLowerCase()
  const wanted = [...new Set(words.slice(0, MOST_WORDS).map((word) => word.toLowerCase()))].filter(
    (word) => word !== '',
  )
  let [best, most] = [0, 0]
  for (const word of wanted) {
    let at = lower.indexOf(word)
    for (let seen = 0; at >= 0 && seen < MOST_PLACES; seen++, at = lower.indexOf(word, at + word.length)) {
      const part = lower.slice(at, at + size)
      const found = wanted.filter((one) => part.includes(one)).length
      if (found > most) [best, most] = [at, found]
    }
  }
  return Math.min(best, text.length)
}

/** Index of the first line after the frontmatter, which is useless to a reader unless the file has nothing else. */
function afterFrontmatter(lines: readonly string[]): number {
  const end = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  return lines.slice(end).some((line) => line !== '') ? end : 0
}

const AROUND = 50
const LONGEST_SENTENCE = 100

/**
 * One-line excerpt of a decision for a query: around the first query word found in it, otherwise its first sentence.
 */
export function snippetAround(text: string, query: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  const at = firstHit(flat, query)
  if (at === undefined) return flat.split(/(?<=[.!?])\s/)[0]!.slice(0, LONGEST_SENTENCE)
  const from = Math.max(0, at - AROUND)
  const to = Math.min(flat.length, at + AROUND)
  return `${from > 0 ? '...' : ''}${flat.slice(from, to).trim()}${to < flat.length ? '...' : ''}`
}

function firstHit(text: string, query: string): number | undefined {
  const words = (query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []).filter((word) => !STOP_WORDS.has(word))
  for (const word of words) {
    const found = new RegExp(`(?<![\\p{L}\\p{N}_])${word}`, 'iu').exec(text)
    if (found !== null) return found.index
  }
  return undefined
}
