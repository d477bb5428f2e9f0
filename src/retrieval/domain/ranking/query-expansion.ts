import { delimit, IS_DATA } from '../../../kernel/domain/text/delimit.ts'
import { fuseRanks } from './rank-documents.ts'
import type { Verdict } from './verdict.ts'

const MOST = 4
const LONGEST = 200
const LONGEST_QUERY = 1_000

/** Prompt that requests other wordings of a query, one per line. */
export function expansionPrompt(query: string): { readonly system: string; readonly prompt: string } {
  return {
    system: `You help a search engine over the notes, decisions, sessions and code of software projects. ${IS_DATA}`,
    prompt: `${delimit('query', query.slice(0, LONGEST_QUERY))}\n\nSay this query in 2 to ${MOST} other ways: other words for the same thing, or the words an answer would use. One per line, nothing else.`,
  }
}

/** The wordings in an answer; undefined unless it is a short list of short lines. */
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

interface Found {
  readonly document: { readonly key: string }
  readonly score: number
  readonly verdict: Verdict
}

/**
 * Merges the hits of a query with those of other wordings; the query itself counts double. A hit found only by another
 * wording is `related` at best, because the user did not ask in those words.
 */
export function fuseWordings<T extends Found>(own: readonly T[], others: readonly (readonly T[])[]): readonly T[] {
  const keysOf = (list: readonly T[]): readonly string[] => list.map(({ document }) => document.key)
  const fused = fuseRanks([
    { items: keysOf(own), weight: 2 },
    ...others.map((list) => ({ items: keysOf(list), weight: 1 })),
  ])
  const known = new Map<string, T>()
  for (const one of own) known.set(one.document.key, one)
  for (const one of others.flat())
    if (!known.has(one.document.key))
      known.set(one.document.key, { ...one, verdict: one.verdict === 'strong' ? 'related' : one.verdict })
  return [...fused].sort((a, b) => b[1] - a[1]).map(([key, score]) => ({ ...known.get(key)!, score }))
}
