import { STOP_WORDS } from '../ranking/decision-tokens.ts'

const AROUND = 50
const LONGEST = 100

/** The place in a text that a query speaks of: around the first of its words found there, else the first sentence. */
export function snippet(text: string, query: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  const at = firstHit(flat, query)
  if (at === undefined) return flat.split(/(?<=[.!?])\s/)[0]!.slice(0, LONGEST)
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
