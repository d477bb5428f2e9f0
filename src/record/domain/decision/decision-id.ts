import { codePoints, head } from '../../../kernel/domain/text.ts'

const LONGEST = 60
const SHORTEST_AFTER_CUT = 30

/**
 * Letters and digits of any script in lower case, with one hyphen for everything between them; at most 60 characters,
 * cut at a word if that leaves 30.
 */
export function slugify(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  if (codePoints(slug) <= LONGEST) return slug
  const cut = head(slug, LONGEST)
  const atWord = cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut
  return codePoints(atWord) < SHORTEST_AFTER_CUT ? cut : atWord
}

/** The stem of a decision's file. A title without letters still gets a typable name. */
export const decisionStem = (num: number, title: string): string =>
  `${String(num).padStart(3, '0')}-${slugify(title) || 'decision'}`

/**
 * The number in an identifier: `042-some-title`, `042-x.md`, `decision-042`, `D42`, `42`. Undefined if there is none.
 * Only ASCII digits count; a run of digits that continues in another script is not a number.
 */
export function decisionNumber(id: string): number | undefined {
  const digits = /^(?:decision-|d(?=[0-9]))?([0-9]+)(?!\p{Nd})/iu.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Returns numbers above every used one, in order. A number far above what a record can grow to, from a hostile or
 * mistyped file, is skipped but not continued: it must not push the others out of nine digits.
 */
export function numbersAfter(used: Iterable<number>): () => number {
  const taken = new Set(used)
  let last = 0
  for (const num of taken) if (num <= HIGHEST_FOLLOWED && num > last) last = num
  return () => {
    do last++
    while (taken.has(last))
    return last
  }
}

/** The highest number that is continued; leaves room for dates used as numbers. */
export const HIGHEST_FOLLOWED = 99_999_999

/**
 * The number in a text that refers to a decision the way people write it: `D12`, `decision 12`, `decision #12`, `12`.
 */
export function decisionReferred(text: string): number | undefined {
  const digits = /^(?:D|decision[\s-]{0,3}#?)?0*(\d{1,9})$/i.exec(text.trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Every decision that a text names, as people and models list them: `2,3`, `D2 and D3`, `["002", "003"]`, `decision 2`.
 * Anything else is returned as written.
 */
export const decisionsNamed = (text: string): { readonly id: string; readonly num: number | undefined }[] =>
  text
    .replaceAll(/[[\]"'()#]/g, ' ')
    .replaceAll(/\bdecisions?[ :]+(?=[0-9])/gi, '')
    .split(/\s*[,;&+]\s*|\s+(?:and\s+)?/i)
    .filter((id) => id !== '')
    .map((id) => ({ id, num: decisionNumber(id) }))
