import type { GraphNode } from '../../src/record/domain/graph/graph.ts'

export interface Hit {
  readonly place: number
  readonly score: number
  /** The match outside the title, if any. */
  readonly passage: { readonly name: string; readonly text: string } | undefined
}

interface Field {
  readonly name: string
  readonly text: string
  readonly folded: string
  readonly worth: number
}

const PASSAGE = 150
const LEAD = 50

/** Searches everything in a decision: number, title, rationale, rejected alternatives, files. All words must occur. */
export function fullText(decisions: readonly GraphNode[]): (query: string) => Hit[] {
  // Folded on first use, so that a page without searches does no work.
  let fields: Field[][] | undefined
  return (query) => {
    const words = searchWords(query)
    if (words.length === 0) return []
    fields ??= decisions.map(fieldsOf)
    const number = /^d?0*(\d+)$/.exec(query.trim().toLowerCase())?.[1]
    return fields
      .flatMap((mine, place): Hit[] => {
        const score = scoreOf(mine, words) + numberScore(decisions[place]!.num, number)
        return score === 0 ? [] : [{ place, score, passage: passageOf(mine, words) }]
      })
      .sort((a, b) => b.score - a.score || b.place - a.place)
  }
}

export const searchWords = (query: string): string[] =>
  fold(query)
    .split(/\s+/)
    .filter((word) => word !== '')

/**
 * Ranges of a text that match search words, in order and without overlaps. One or two letters match only as a whole
 * word: the "a" of a question is in almost every word.
 */
export function matchedRanges(text: string, words: readonly string[]): [from: number, to: number][] {
  const folded = fold(text)
  const found: [number, number][] = []
  for (const word of words)
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      if (!/^[a-z]{1,2}$/.test(word) || isWhole(folded, at, word.length)) found.push([at, at + word.length])
  const ranges: [number, number][] = []
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    const last = ranges.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  return ranges
}

const isWhole = (text: string, at: number, length: number): boolean =>
  !/[\p{L}\p{N}]/u.test(`${text[at - 1] ?? ''}${text[at + length] ?? ''}`)

/** Lower case without accents; same length as the text, so that offsets match. */
export function fold(text: string): string {
  const plain = text.replace(/[^\x00-\x7f]/gu, (character) => {
    const bare = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    return bare.length === character.length ? bare : character
  })
  return plain.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function fieldsOf({ label, title, text, files_affected }: GraphNode): Field[] {
  const field = (name: string, worth: number, words: string): Field => ({
    name,
    worth,
    text: words,
    folded: fold(words),
  })
  return [
    field('', 10, `${label} ${title}`),
    ...(text?.rejected ?? []).map(({ name, reason }) =>
      field('Rejected', 5, reason === null ? name : `${name}: ${reason}`),
    ),
    field('', 2, text?.rationale ?? ''),
    field('Files', 2, files_affected.join(' ')),
  ]
}

/** Zero unless every word occurs; a match at the beginning of a word counts more than one in the middle. */
function scoreOf(fields: readonly Field[], words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    let best = 0
    for (const { folded, worth } of fields) {
      if (worth <= best) continue
      const at = folded.indexOf(word)
      if (at >= 0) best = Math.max(best, startsWord(folded, word) ? worth : worth * 0.6)
    }
    if (best === 0) return 0
    sum += best
  }
  return sum
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true
  return false
}

const numberScore = (num: number, asked: string | undefined): number =>
  asked === undefined ? 0 : String(num) === asked ? 1000 : String(num).startsWith(asked) ? 100 : 0

/** Text around the first word that is not in the title; undefined if all words are. */
function passageOf([title, ...others]: readonly Field[], words: readonly string[]): Hit['passage'] {
  for (const word of words.filter((each) => !title!.folded.includes(each))) {
    for (const { name, text, folded } of others) {
      const at = folded.indexOf(word)
      if (at < 0) continue
      const from = Math.max(0, at - LEAD)
      const start = from === 0 ? 0 : Math.min(at, text.indexOf(' ', from) + 1 || from)
      const cut = text
        .slice(start, start + PASSAGE)
        .replace(/[#*`>_\s]+/g, ' ')
        .trim()
      return { name, text: `${start > 0 ? '…' : ''}${cut}${start + PASSAGE < text.length ? '…' : ''}` }
    }
  }
  return undefined
}
