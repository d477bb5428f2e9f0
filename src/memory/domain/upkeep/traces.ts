import { analyse } from '../../../kernel/domain/text/analyse.ts'

export interface Traces {
  /** Pieces of the longest lines. */
  readonly phrases: readonly string[]
  /** Long words, each with its term in the index. */
  readonly words: readonly { readonly word: string; readonly term: string }[]
}

const MOST = 12
const SHORTEST_LINE = 16
const LONGEST_PHRASE = 80
const SHORTEST_WORD = 6
// Lines Ken writes into every session file.
const OWN_LINE = /^(?:[a-z_]+: "|> (?:at|tools|files): |---)/

/** Parts of a text by which remaining copies of it can be found. */
export function tracesOf(text: string): Traces {
  const said = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !OWN_LINE.test(line))
  const lines = said.filter((line) => line.length >= SHORTEST_LINE)
  const words = said.join('\n').match(/\p{L}[\p{L}\p{N}]+/gu) ?? []
  return {
    phrases: longest(lines).map(phraseOf),
    words: longest(words.filter((word) => word.length >= SHORTEST_WORD)).flatMap((word) => {
      const [term, ...more] = analyse(word)
      return term === undefined || more.length > 0 ? [] : [{ word, term }]
    }),
  }
}

const longest = (texts: readonly string[]): string[] =>
  [...new Set(texts)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MOST)

/** Cuts between whole words, so that no character is split. */
function phraseOf(line: string): string {
  if (line.length <= LONGEST_PHRASE) return line
  const cut = line.slice(0, LONGEST_PHRASE)
  return cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut.toWellFormed().replace(/\ufffd$/, '')
}
