import { contentWords, folded, isNegated, sharedWords } from './content-words.ts'
import type { MemoryRow } from './memory-row.ts'

/**
 * The memory that a new one clearly contradicts: the same statement with another value, or the opposite. Undefined if
 * there is none or several, or if only one of them has a condition.
 */
export function supersededRow(
  { content, category, project }: Pick<MemoryRow, 'content' | 'category' | 'project'>,
  rows: readonly MemoryRow[],
): MemoryRow | undefined {
  const found = rows.filter(
    (row) => row.category === category && row.project === project && isContrary(content, row.content),
  )
  return found.length === 1 ? found[0] : undefined
}

function isContrary(a: string, b: string): boolean {
  const identity = identityIn(a)
  if (identity !== undefined) return identity === identityIn(b)
  const [own, other] = [subjectWords(a), subjectWords(b)]
  const without = (words: readonly string[], from: readonly string[]): readonly string[] =>
    from.filter((word) => sharedWords([word], words).length === 0)
  const [come, gone] = [without(other, own), without(own, other)]
  if (come.length === 0 && gone.length === 0) return own.length > 0 && isNegated(a) !== isNegated(b)
  return come.length === 1 && gone.length === 1 && isOtherValue(come[0]!, gone[0]!) && isNegated(a) === isNegated(b)
}

/** Whether two stems are alternative values of the same thing. */
export const isOtherValue = (a: string, b: string): boolean => VALUES.some((kind) => kind.test(a) && kind.test(b))

const VALUES: readonly RegExp[] = [
  /^(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|zero|zwei|drei|vier|funf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco)$/,
  /^(?:euros?|dollars?|pounds?|francs?|franken|yen|usd|eur|gbp|chf|dolares|libras?|livres?)$/,
  /^(?:english|german|french|spanish|italian|portugues|dutch|englisch|deutsch|franzosisch|spanisch|anglais|allemand|francais|espagnol|ingles|aleman|frances|espanol)$/,
  /^(?:januari|februari|march|april|may|june|juli|august|septemb|octob|novemb|decemb|enero|octubre|janvier|juillet|januar|oktober)$/,
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|sonntag|lundi|dimanch|lunes|domingo)$/,
  /^(?:metric|imperi)$/,
  /^(?:net|gross)$/,
  /^(?:thousand|million|billion)$/,
  /^(?:formal|inform)$/,
]

/** The words of an instruction, without those that are common in instructions about answers. */
const subjectWords = (text: string): readonly string[] => contentWords(text).filter((word) => !ANSWERING.has(word))

const ANSWERING: ReadonlySet<string> = new Set(
  'use show display give answer repli respond report write express speak state list amount amounts figure number price value result money currency language'
    .split(' ')
    .flatMap((word) => [word, ...contentWords(word)]),
)

/** The name, role or place of the user that a sentence states. */
function identityIn(text: string): string | undefined {
  const said = folded(text)
  return IDENTITIES.find((pattern) => pattern.test(said))?.source
}

const IDENTITIES: readonly RegExp[] = [
  /^(?:my name is|call me|i am called|i'm called) /,
  /^my (?:role|title|job|job title|position) is /,
  /^my (?:time ?zone) is /,
  /^my (?:manager|boss) is /,
  /^my (?:company|employer) is /,
  /^(?:i live in|i am based in|i'm based in) /,
]
