import { isBsn, isCpf, isGermanTaxId, isPesel, passesLuhn } from './check-digits.ts'
import { isFamilyName, isGivenName } from './given-names.ts'
import type { PersonalKind } from './kinds.ts'
import { LONE_NUMBERS, maskText } from './mask-text.ts'

/** A possible kind of a value alone in its cell, and the share of a column that must match to accept it. */
export interface Guess {
  readonly kind: PersonalKind
  readonly share: number
  /** Based only on digits and their grouping, which other numbers share. */
  readonly isWeak?: boolean
}

const SURE = 0.2
const LIKELY = 0.7
// One number in ten passes a check digit by chance, so nearly all values must pass.
const CHECKED = 0.95
const PEOPLE = 0.3

/** Guesses for one value, most certain first. A column gets the first kind that enough of its values share. */
export function guessesFor(value: string): readonly Guess[] {
  const text = value.trim()
  if (text.length < 2 || text.length > 200) return []
  const guesses: Guess[] = []
  if (/^\d+$/.test(text)) return loneNumber(text)
  const { text: rest, kinds } = maskText(text, ['name'])
  const first = kinds[0]
  if (first !== undefined && /^[\s.,;:'"<>()]*(?:\[[^\]]+\][\s.,;:'"<>()]*){1,3}$/.test(rest))
    guesses.push({
      kind: first,
      share: first === 'phone' || first === 'IP' || first === 'national id' || first === 'address' ? 0.4 : SURE,
    })
  else if (first === 'address') guesses.push({ kind: 'address', share: 0.4 })
  if (isPostal(text)) guesses.push({ kind: 'address', share: LIKELY, isWeak: true })
  if (isSpacedPhone(text)) guesses.push({ kind: 'phone', share: LIKELY, isWeak: true })
  if (/^(?:[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{1,4}[EH]?|[A-Z]{2}\d{2} [A-Z]{3})$/.test(text))
    guesses.push({ kind: 'plate', share: LIKELY, isWeak: true })
  if (/^@[A-Za-z0-9_.]{3,30}$/.test(text)) guesses.push({ kind: 'username', share: LIKELY })
  if (isPersonName(text)) guesses.push({ kind: 'name', share: PEOPLE })
  else if (isSingleName(text)) guesses.push({ kind: 'name', share: 0.55 })
  return guesses
}

function loneNumber(digits: string): readonly Guess[] {
  const found = LONE_NUMBERS.filter(({ accepts }) => accepts(digits)).map(({ kind }) => ({
    kind,
    share: CHECKED,
    isWeak: kind !== 'card',
  }))
  const eleven = digits.length === 11 && (isGermanTaxId(digits) || isPesel(digits) || isCpf(digits))
  const nine = digits.length === 9 && isBsn(digits)
  return [
    ...found,
    ...(MOBILE.test(digits) ? [{ kind: 'phone' as const, share: CHECKED, isWeak: true }] : []),
    ...(eleven || nine ? [{ kind: 'national id' as const, share: CHECKED, isWeak: true }] : []),
    ...(/^0[1-9]\d{8,10}$/.test(digits) ? [{ kind: 'phone' as const, share: CHECKED, isWeak: true }] : []),
  ]
}

// Country codes with the first digits of mobile numbers, and North American numbers.
const MOBILE =
  /^(?:491[5-7]\d{8,9}|447\d{9}|33[67]\d{8}|34[67]\d{8}|393\d{8,9}|316\d{8}|324\d{8}|417\d{8}|436\d{8,10}|467\d{8}|48[5-8]\d{8}|3519\d{8}|91[6-9]\d{9}|55\d{2}9\d{8}|521?\d{10}|614\d{8}|1[2-9][0-8]\d[2-9]\d{6})$/

const isPostal = (text: string): boolean =>
  /^(?:[A-Z]{1,2}-)?\d{5} \p{Lu}[\p{L}.' -]{2,40}$/u.test(text) ||
  /^\p{Lu}[\p{L}.' -]{2,30},? [A-Z]{2} \d{5}(?:-\d{4})?$/u.test(text) ||
  /^(?:[A-Z]{1,2}\d[A-Z\d]?) \d[A-Z]{2}$/.test(text) ||
  /^\d{4} ?[A-Z]{2}(?: \p{Lu}\p{L}+)?$/u.test(text)

/** Nine to eleven digits in groups, without a telling prefix; nine that could be a company number do not count. */
const isSpacedPhone = (text: string): boolean =>
  /^\d{2,5}(?:[ -]\d{2,5}){1,4}$/.test(text) &&
  /^(?:\d{9,11})$/.test(text.replaceAll(/\D/g, '')) &&
  !/^(?:19|20)\d\d-\d\d-\d\d/.test(text) &&
  !(/^\d{3} \d{3} \d{3}$/.test(text) && passesLuhn(text.replaceAll(' ', '')))

const COMPANY =
  /(?<!\p{L})(?:gmbh|ag|kg|ohg|ug|inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|company|co|s\.?a\.?|s\.?r\.?l\.?|sarl|sas|s\.?p\.?a\.?|b\.?v\.?|n\.?v\.?|ab|oy|a\/s|aps|pty|group|holdings?|partners|associates|solutions|systems|technologies|services|consulting|industries|international|bank|university|foundation|verein|e\.v|& co|und söhne|& sons)\.?(?!\p{L})/iu

export const isCompanyName = (text: string): boolean => COMPANY.test(text) || /[&+]/.test(text)

/** Two to four words that could be a person, the first (or the one after a comma) a known given name. */
function isPersonName(text: string): boolean {
  if (!/^[\p{L}.,’' -]{4,60}$/u.test(text) || isCompanyName(text)) return false
  const [before = '', behind] = text.split(',').map((part) => part.trim())
  const words = before.split(' ').filter((word) => !/^(?:mr|mrs|ms|dr|prof|herr|frau|mme)\.?$/i.test(word))
  if (behind !== undefined) return words.length <= 3 && isGivenName(behind.split(' ')[0] ?? '')
  if (words.length < 2 || words.length > 4) return false
  const isWritten = words.every(
    (word) => /^\p{Lu}/u.test(word) || /^(?:von|van|de|der|den|del|della|dos|da|di|la|al|bin|el)$/.test(word),
  )
  const isOneCase = before === before.toUpperCase() || before === before.toLowerCase()
  return (isWritten || isOneCase) && (isGivenName(words[0]!) || isFamilyName(words.at(-1)!))
}

const isSingleName = (text: string): boolean =>
  /^[\p{L}’'-]{2,30}$/u.test(text) && (isGivenName(text) || isFamilyName(text))

const PARTICLE = /^(?:von|van|vom|zu|de|der|den|del|della|dos|das|da|di|do|la|le|al|bin|ibn|el|ter|ten|af)$/i
const TITLE = /^(?:mr|mrs|ms|miss|dr|prof|ing|dipl|herr|frau|mme|mlle|sr|sra|jr)\.?$/i

/** Two to four capitalised words that could be a person's name, known or not. */
export function looksLikeName(text: string): boolean {
  if (text.length > 60 || !/^[\p{L}\p{M}.,’' -]{4,}$/u.test(text) || isCompanyName(text)) return false
  const words = text.split(/[ ,]+/).filter((word) => word !== '' && !TITLE.test(word))
  if (words.length < 2 || words.length > 5) return false
  const told = words.filter((word) => !PARTICLE.test(word))
  return told.length >= 2 && told.every((word) => /^\p{Lu}[\p{L}\p{M}’'-]*\.?$/u.test(word))
}

/** One or a few words and a house number. */
export const looksLikeStreet = (text: string): boolean =>
  text.length <= 60 &&
  (/^\p{Lu}[\p{L}\p{M}.’' -]{2,45} \d{1,4} ?[a-zA-Z]?$/u.test(text) ||
    /^\d{1,5} \p{Lu}[\p{L}\p{M}.’' ]{2,45}$/u.test(text))

/** A meaningless column name: `f_01`, `col3`, `x`. */
export const saysNothing = (column: string): boolean =>
  /^(?:[a-z]{1,2}|col|column|field|fld|feld|attr|val|value|text|data|spalte|campo|c|f|x)?_?\d{0,4}$/i.test(column)
