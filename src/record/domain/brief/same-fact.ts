import { decisionTokens, QUERY_STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'
import { type AnswerTrust, isTrustedAsMuch } from '../../../kernel/domain/trust/trust.ts'

// A part of the fast path of `ken hook`.

const known = new WeakMap<object, ReadonlySet<string>>()

/** The words that distinguish one fact from another; cached with their line. */
export function factTerms(line: { readonly text: string }): ReadonlySet<string> {
  const before = known.get(line)
  if (before !== undefined) return before
  const terms = new Set([...decisionTokens(line.text, FILLERS), ...(line.text.match(/\p{N}+/gu) ?? [])])
  known.set(line, terms)
  return terms
}

/** Two lines that differ in one of these have different meanings, however many words they share. */
const TURNS_ROUND: ReadonlySet<string> = new Set([
  'no',
  'not',
  'never',
  'without',
  'don',
  'isn',
  'won',
  'nicht',
  'kein',
])
const FILLERS: ReadonlySet<string> = new Set([...QUERY_STOP_WORDS].filter((word) => !TURNS_ROUND.has(word)))
const isTelling = (term: string): boolean => /\p{N}/u.test(term) || TURNS_ROUND.has(term)

/** Share of a line that must occur in another for the line to count as a repeated fact. */
const SAME = 0.85
/** Shorter lines share their few words by chance. */
const LEAST_TERMS = 4
/** A word in more lines than this distinguishes none of them, and comparing all of them would take quadratic time. */
const COMMON = 2_000

interface Fact {
  readonly terms: ReadonlySet<string>
  readonly trust: AnswerTrust
  /** True if one different word makes it another fact, as in a decision's title. */
  readonly isExact: boolean
}

/** Detects lines that only repeat included ones. */
export interface ToldFacts {
  /** The largest share of the line found in one included line; 1 for a line with nothing new. */
  overlap(line: number): number
  tell(line: number): void
}

/** Only an equally trusted line makes another redundant: untrusted text displaces nothing. */
export function openToldFacts(lines: readonly Fact[]): ToldFacts {
  const holding = new Map<string, number[]>()
  for (const [at, { terms }] of lines.entries())
    for (const term of terms) {
      const own = holding.get(term)
      if (own === undefined) holding.set(term, [at])
      else own.push(at)
    }
  const isCommon = (term: string): boolean => holding.get(term)!.length > COMMON
  const sizes = lines.map(({ terms }) => [...terms].reduce((size, term) => size + (isCommon(term) ? 0 : 1), 0))
  const most = new Float64Array(lines.length)
  const shared = new Uint32Array(lines.length)
  return {
    overlap: (line) => most[line]!,
    tell(told) {
      const touched: number[] = []
      const { terms, trust } = lines[told]!
      for (const term of terms)
        if (!isCommon(term)) for (const at of holding.get(term)!) if (shared[at]!++ === 0) touched.push(at)
      for (const at of touched) {
        const share = shared[at]! / sizes[at]!
        shared[at] = 0
        if (share > most[at]! && isTrustedAsMuch(trust, lines[at]!.trust))
          most[at] = isSame(lines[at]!, terms, share) ? 1 : Math.min(share, SAME)
      }
    },
  }
}

function isSame({ terms, isExact }: Fact, other: ReadonlySet<string>, share: number): boolean {
  if (share < SAME || ((isExact || terms.size < LEAST_TERMS) && share < 1)) return false
  for (const term of terms) if (isTelling(term) && !other.has(term)) return false
  for (const term of other) if (TURNS_ROUND.has(term) && !terms.has(term)) return false
  return true
}
