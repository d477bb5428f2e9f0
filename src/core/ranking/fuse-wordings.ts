import type { Verdict } from '../decision/verdict.ts'
import { fuseRanks } from './rank-documents.ts'

interface Found {
  readonly document: { readonly key: string }
  readonly score: number
  readonly verdict: Verdict
}

/**
 * Joins what a query found with what other wordings of it found; the query itself counts double. What only another
 * wording found is `related` at best, because nobody asked in those words.
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
