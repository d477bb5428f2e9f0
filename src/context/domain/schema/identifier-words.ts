/** Splits the names of tables and columns into words; `knows` returns whether a run of letters is a known word. */
export interface IdentifierWords {
  /** `FCLT_BUILDING_KEY` → fclt, building, key; `securitygroups` → security, groups. */
  of(identifier: string): readonly string[]
}

/** Splits a name at signs, case changes and digits. */
export const piecesOf = (identifier: string): readonly string[] =>
  identifier
    .slice(0, LONGEST_NAME)
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .match(/\p{L}+|\d+/gu) ?? []

// PostgreSQL allows 63 characters, Snowflake 255 and SQL Server 128.
const LONGEST_NAME = 255
const SHORTEST_RUN = 6
const LONGEST_WORD = 24
const SHORT = 3

/**
 * Many schemas run words together, so a piece that is not a word is split into words that other names of the same
 * database use separately, or that the model knows.
 */
export function openIdentifierWords(identifiers: Iterable<string>, knows: (word: string) => boolean): IdentifierWords {
  const used = new Map<string, number>()
  for (const identifier of identifiers)
    for (const piece of new Set(piecesOf(identifier))) used.set(piece, (used.get(piece) ?? 0) + 1)
  const timesUsed = (word: string): number =>
    [...new Set([word, singular(word), `${word}s`])].reduce((sum, form) => sum + (used.get(form) ?? 0), 0)
  const isWord = (word: string): boolean => knows(word) || knows(singular(word))
  const costOf = (part: string): number | undefined => {
    if (part.length < SHORT) return timesUsed(part) > 2 ? COST.used + COST.short : undefined
    const cost = timesUsed(part) > 0 ? COST.used : part.length > SHORT && isWord(part) ? COST.known : undefined
    return cost === undefined ? undefined : cost + (part.length <= SHORT ? COST.short : 0)
  }
  const divided = new Map<string, readonly string[]>()
  const divide = (piece: string): readonly string[] => {
    if (piece.length < SHORTEST_RUN || isWord(piece) || !/^\p{L}+$/u.test(piece)) return [piece]
    const before = divided.get(piece)
    if (before !== undefined) return before
    const words = cheapestDivision(piece, costOf) ?? [piece]
    divided.set(piece, words)
    return words
  }
  return { of: (identifier) => piecesOf(identifier).flatMap(divide) }
}

/**
 * A word that the database uses separately is more reliable than one that only the model knows; short ones fit
 * anywhere.
 */
const COST = { used: 0.8, known: 1, short: 0.7 } as const

function cheapestDivision(run: string, costOf: (part: string) => number | undefined): readonly string[] | undefined {
  const best: ({ readonly cost: number; readonly from: number } | undefined)[] = [{ cost: 0, from: 0 }]
  for (let end = 1; end <= run.length; end++) {
    for (let from = Math.max(0, end - LONGEST_WORD); from < end; from++) {
      const before = best[from]
      if (before === undefined || end - from === run.length) continue
      const cost = costOf(run.slice(from, end))
      if (cost === undefined || before.cost + cost >= (best[end]?.cost ?? Infinity)) continue
      best[end] = { cost: before.cost + cost, from }
    }
  }
  if (best[run.length] === undefined) return undefined
  const words: string[] = []
  for (let end = run.length; end > 0; end = best[end]!.from) words.unshift(run.slice(best[end]!.from, end))
  return words
}

/** Good enough for names: categories, addresses, boxes, statuses, orders. */
export function singular(word: string): string {
  if (word.length < 3 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ss|sh|ch|x|us|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/**
 * `dept` for department, `bldg` for building, `cust` for customer: the same first letter, the others in order, and
 * either the beginning of the word or only consonants after the first letter.
 */
export function isAbbreviation(short: string, word: string): boolean {
  if (short.length < SHORT || short.length >= word.length || word.length < 5 || short[0] !== word[0]) return false
  if (word.startsWith(short)) return true
  let at = 0
  for (const letter of word) if (letter === short[at]) at++
  if (at < short.length) return false
  return !/[aeiouäöü]/.test(short.slice(1)) || (short.length > SHORT && word.endsWith(short.at(-1)!))
}
