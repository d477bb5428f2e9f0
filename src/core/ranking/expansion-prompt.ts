import { delimit, IS_DATA } from '../text/delimit.ts'

const MOST = 4
const LONGEST = 200
const LONGEST_QUERY = 1_000

/** Asks for other wordings of a query, one per line. */
export function expansionPrompt(query: string): { readonly system: string; readonly prompt: string } {
  return {
    system: `You help a search engine over the notes, decisions, sessions and code of software projects. ${IS_DATA}`,
    prompt: `${delimit('query', query.slice(0, LONGEST_QUERY))}\n\nSay this query in 2 to ${MOST} other ways: other words for the same thing, or the words an answer would use. One per line, nothing else.`,
  }
}

/** The wordings in an answer; undefined when it is anything but a short list of short lines. */
export function readExpansions(answer: string, query: string): readonly string[] | undefined {
  const lines = answer
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim())
    .filter((line) => line !== '')
  if (
    lines.length === 0 ||
    lines.length > MOST ||
    lines.some((line) => line.length > LONGEST || /^[`<{[]|:$/.test(line))
  )
    return undefined
  const news = new Map(lines.filter((line) => !isSame(line, query)).map((line) => [line.toLowerCase(), line]))
  return news.size === 0 ? undefined : [...news.values()]
}

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()
