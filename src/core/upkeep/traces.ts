import { analyse } from '../search/analyse.ts'

const MOST_LINES = 12
const MOST_WORDS = 24
const SHORTEST_LINE = 16
const LONGEST_PHRASE = 80
const SHORTEST_WORD = 6

/** Parts of a text by which it could be known again wherever it is left: pieces of its longest lines, and words as the index spells them. */
export function tracesOf(text: string): string[] {
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line.length >= SHORTEST_LINE && !/^(?:[a-z_]+: "|> at: |---)/.test(line))
  const words = [...new Set(analyse(text))].filter((word) => word.length >= SHORTEST_WORD && /^\p{L}/u.test(word))
  const byLength = (a: string, b: string): number => b.length - a.length || (a < b ? -1 : 1)
  return [...lines.sort(byLength).slice(0, MOST_LINES).map(phraseOf), ...words.sort(byLength).slice(0, MOST_WORDS)]
}

/** Whole words, so that no character is cut in two. */
function phraseOf(line: string): string {
  if (line.length <= LONGEST_PHRASE) return line
  const cut = line.slice(0, LONGEST_PHRASE)
  return cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut.toWellFormed().replace(/\ufffd$/, '')
}
