/**
 * Luhn check: the sum of the digits, every second one doubled, ends in 0. Used by cards, Swedish and Canadian numbers.
 */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const doubled = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** IBAN length by country, from the IBAN registry. */
const IBAN_LENGTHS = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FI FO GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU MN XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ ES MD PK RO SA SE SK TN VG DZ',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'BI DJ FR GR IT MC MR SM',
    28: 'AL AZ BY CY DO GT HU LB NI PL SV',
    29: 'BR EG PS QA UA',
    30: 'JO KW MU YE',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, countries]) => countries.split(' ').map((country) => [country, Number(length)] as const)),
)

/** Length of the IBAN at the start of a text; undefined if there is none. */
export function ibanLength(compact: string): number | undefined {
  const length = IBAN_LENGTHS.get(compact.slice(0, 2))
  if (length === undefined || compact.length < length) return undefined
  const turned = compact.slice(4, length) + compact.slice(0, 4)
  let rest = 0
  for (const char of turned)
    for (const digit of String(Number.parseInt(char, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1 ? length : undefined
}

const CARD =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d|2\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|6(?:759|761|762|763|304)\d{8,15})$/

/** Whether digits have the length, prefix and check digit of a card. */
export const isCard = (digits: string): boolean => CARD.test(digits) && passesLuhn(digits)

export const isSpanishId = (id: string): boolean => {
  const number = Number(id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))))
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23] === id.at(-1)
}

/** The key of a French number is 97 minus the remainder of a division by 97; Corsica counts as 19 and 18. */
export const isFrenchId = (id: string): boolean => {
  const body = id.slice(0, 13).replace('2A', '19').replace('2B', '18')
  const month = Number(id.slice(3, 5))
  return (
    /^\d{13}$/.test(body) &&
    ((month >= 1 && month <= 12) || month >= 20) &&
    97n - (BigInt(body) % 97n) === BigInt(id.slice(13))
  )
}

const ODD_VALUES = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Checks the last letter of an Italian tax code. */
export const isItalianCode = (code: string): boolean => {
  const sum = Array.from(code.slice(0, 15)).reduce((total, char, i) => {
    const at = /\d/.test(char) ? Number(char) : (char.codePointAt(0) ?? 65) - 65
    return total + (i % 2 === 0 ? ODD_VALUES[at]! : at)
  }, 0)
  return String.fromCharCode(65 + (sum % 26)) === code[15]
}

/** Eleven digits, one of them twice or three times in the first ten, and an ISO 7064 check digit. */
export const isGermanTaxId = (digits: string): boolean => {
  const counts = [...Map.groupBy(digits.slice(0, 10), (digit) => digit).values()].map((group) => group.length)
  const repeated = counts.filter((count) => count > 1)
  if (digits[0] === '0' || repeated.length !== 1 || repeated[0]! > 3) return false
  let product = 10
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits[10])
}

const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0)

export const isPesel = (digits: string): boolean =>
  isDay(Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6))) &&
  (10 - (weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(digits[10])

export const isBsn = (digits: string): boolean =>
  !/^0{3}/.test(digits) && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0

export const isCpf = (digits: string): boolean => {
  if (/^(\d)\1{10}$/.test(digits)) return false
  const check = (length: number): number => {
    const weights = Array.from({ length }, (_, i) => length + 1 - i)
    return ((weighted(digits, weights) * 10) % 11) % 10
  }
  return check(9) === Number(digits[9]) && check(10) === Number(digits[10])
}

export const isBelgianId = (digits: string): boolean =>
  ['', '2'].some((century) => 97 - (Number(century + digits.slice(0, 9)) % 97) === Number(digits.slice(9)))

export const isSwissId = (digits: string): boolean => isEan(digits)

/** Check digit of articles as well as of Swiss social insurance numbers. */
export const isEan = (digits: string): boolean =>
  [...digits].toReversed().reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0

export const isSwedishId = (digits: string): boolean =>
  isDay(Number(digits.slice(-8, -6)), Number(digits.slice(-6, -4)) % 60) && passesLuhn(digits.slice(-10))

const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31

const TURNS =
  '0123456789 1234067895 2340178956 3401289567 4012395678 5987604321 6598710432 7659821043 8765932104 9876543210'.split(
    ' ',
  )
const PLACES = '0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258'.split(' ')

/** Verhoeff's check digit, as in Aadhaar numbers. */
export const isAadhaar = (digits: string): boolean =>
  /^[2-9]/.test(digits) &&
  [...digits].toReversed().reduce((sum, digit, i) => Number(TURNS[sum]![Number(PLACES[i % 8]![Number(digit)])]), 0) ===
    0
