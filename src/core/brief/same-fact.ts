import { analyse } from '../text/analyse.ts'
import { QUERY_STOP_WORDS } from '../text/decision-tokens.ts'

/** The words that tell one fact from another. */
export function factTerms(text: string): ReadonlySet<string> {
  return new Set(analyse(text).filter((term) => !QUERY_STOP_WORDS.has(term) || TURNS_ROUND.has(term)))
}

/** Two lines that differ in one of these say different things, however many words they share. */
const TURNS_ROUND: ReadonlySet<string> = new Set(['no', 'not', 'never', 'without', 'don', 'isn', 'won'])
const isTelling = (term: string): boolean => /\p{N}/u.test(term) || TURNS_ROUND.has(term)

/** What share of a line must stand in another one already for it to be the same fact told twice. */
const SAME = 0.85
/** Shorter lines share their few words by chance. */
const LEAST_TERMS = 4

/** What was told so far, by its words. */
export interface ToldFacts {
  /** The largest share of the line that one line told so far has; 1 for a line that says nothing new. */
  overlap(terms: ReadonlySet<string>): number
  add(terms: ReadonlySet<string>): void
}

export function openToldFacts(): ToldFacts {
  const told: ReadonlySet<string>[] = []
  const toldWith = new Map<string, number[]>()
  return {
    overlap(terms) {
      if (terms.size === 0) return 0
      const shared = new Map<number, number>()
      for (const term of terms)
        for (const line of toldWith.get(term) ?? []) shared.set(line, (shared.get(line) ?? 0) + 1)
      let most = 0
      for (const [line, count] of shared) {
        const share = count / terms.size
        if (share > most) most = isSame(terms, told[line]!, share) ? 1 : Math.min(share, SAME)
      }
      return most
    },
    add(terms) {
      const line = told.push(terms) - 1
      for (const term of terms) {
        const lines = toldWith.get(term)
        if (lines === undefined) toldWith.set(term, [line])
        else lines.push(line)
      }
    },
  }
}

function isSame(terms: ReadonlySet<string>, other: ReadonlySet<string>, share: number): boolean {
  if (share < SAME || (terms.size < LEAST_TERMS && share < 1)) return false
  for (const term of terms) if (isTelling(term) && !other.has(term)) return false
  for (const term of other) if (TURNS_ROUND.has(term) && !terms.has(term)) return false
  return true
}
