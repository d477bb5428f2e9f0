import { STOP_WORDS } from './decision-tokens.ts'
import { UNSPACED } from './split-run.ts'

/**
 * Part of a query that words alone miss: scripts without spaces, and acronyms. A text is indexed under its other names;
 * a query part has the query words that it covers and the name it has in a text.
 */
export interface QueryPart {
  /** Lower-case words of the query that this part covers; none for a piece of an unspaced script. */
  readonly words: readonly string[]
  readonly name: string
}

const UNSPACED_RUN = new RegExp(`${UNSPACED}+`, 'gu')
// Matches "SSR", "JWTs", "IaC"; two letters ("CI", "ID") would match too many phrases by chance.
const ACRONYM = /(?<![\p{L}\p{N}])(\p{Lu}(?:[\p{Lu}\p{N}]{2,5}|\p{Ll}{1,2}\p{Lu}))s?(?![\p{L}\p{N}])/gu
const VOWELLESS = /^[b-df-hj-np-tv-xz0-9]{3,6}$/
const WORD = /[\p{L}\p{N}]+/gu
const LONGEST_PHRASE = 5
// Enough for a title or a request; anything longer only adds chance matches.
const MOST_WORDS = 60

/** Names of a text: pieces of unspaced script, its acronyms, and the initials of its `headings`. */
export function otherNames(text: string, headings: readonly string[]): Map<string, number> {
  const names = new Map<string, number>()
  const add = (name: string) => names.set(name, (names.get(name) ?? 0) + 1)
  pieces(text).forEach(add)
  for (const { 1: acronym } of text.matchAll(ACRONYM)) add(spelled(acronym!))
  for (const heading of headings) for (const { initials } of phrases(heading)) add(abbreviated(initials))
  return names
}

export function queryParts(text: string): QueryPart[] {
  const acronyms = [
    ...[...text.matchAll(ACRONYM)].map((match) => match[1]!.toLowerCase()),
    ...(text.match(WORD) ?? []).filter((word) => VOWELLESS.test(word)),
  ]
  return [
    ...[...new Set(pieces(text))].map((name) => ({ words: [], name })),
    ...[...new Set(acronyms)].map((word) => ({ words: [word], name: abbreviated(word) })),
    ...new Map(
      phrases(text)
        .filter(({ words }) => !STOP_WORDS.has(words[0]!) && !STOP_WORDS.has(words.at(-1)!))
        .map(({ words, initials }) => [initials, { words, name: spelled(initials) }]),
    ).values(),
  ]
}

/** Pairs of neighbouring characters; a lone character is a piece. */
const pieces = (text: string): string[] =>
  [...text.toLowerCase().matchAll(UNSPACED_RUN)].flatMap(({ 0: run }) => {
    const letters = [...run]
    return letters.length === 1 ? letters : letters.slice(1).map((letter, i) => letters[i]! + letter)
  })

function phrases(text: string): { words: string[]; initials: string }[] {
  const words = (text.toLowerCase().match(WORD) ?? []).slice(0, MOST_WORDS)
  return words.flatMap((_, start) =>
    Array.from({ length: LONGEST_PHRASE - 2 }, (_, i) => words.slice(start, start + 3 + i))
      .filter((phrase, i) => phrase.length === 3 + i)
      .map((phrase) => ({ words: phrase, initials: phrase.map((word) => [...word][0]!).join('') })),
  )
}

const spelled = (acronym: string): string => `=${acronym.toLowerCase()}`
const abbreviated = (initials: string): string => `~${initials.toLowerCase()}`
