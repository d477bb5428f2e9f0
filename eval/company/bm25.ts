import { estimateTokens } from '../../src/context/domain/context-project/manifest.ts'

/** Returns the text shown to an agent for a question, within `budget` tokens. */
export type Pack = (question: string, budget: number) => Promise<string>

const K1 = 1.2
const B = 0.75

/** Packs the documents that share words with the question, best first; skips one that does not fit. */
export function packByWords(documents: readonly string[]): Pack {
  const bags = documents.map(wordsOf)
  const average = bags.reduce((sum, bag) => sum + bag.length, 0) / bags.length
  const holders = new Map<string, Map<number, number>>()
  bags.forEach((bag, at) => {
    for (const word of bag) {
      const own = holders.get(word) ?? new Map<number, number>()
      holders.set(word, own.set(at, (own.get(at) ?? 0) + 1))
    }
  })
  return async (question, budget) => {
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(question))) {
      const own = holders.get(word) ?? new Map<number, number>()
      const rarity = Math.log(1 + (documents.length - own.size + 0.5) / (own.size + 0.5))
      for (const [at, times] of own) {
        const weight = (times * (K1 + 1)) / (times + K1 * (1 - B + (B * bags[at]!.length) / average))
        scores.set(at, (scores.get(at) ?? 0) + rarity * weight)
      }
    }
    const ranked = [...scores].toSorted(([a, x], [b, y]) => y - x || a - b).map(([at]) => documents[at]!)
    return fill(ranked, budget)
  }
}

function fill(ranked: readonly string[], budget: number): string {
  let packed = ''
  for (const document of ranked) {
    const longer = packed === '' ? document : `${packed}\n\n${document}`
    if (estimateTokens(longer) <= budget) packed = longer
  }
  return packed
}

/** Lower-case words; `orderLine_no` is three of them. */
function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ')
  return apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
