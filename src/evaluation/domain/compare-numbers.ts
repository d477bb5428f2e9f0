import type { Tolerance } from './comparison.ts'

/** Number in a cell, or written in its text. */
export interface ReadNumber {
  readonly value: number
  /** Decimal digits, if there are more than a double keeps. */
  readonly digits?: string
  readonly currency?: string
  readonly isPercent?: boolean
  /** Written like an amount and never a code: with a currency, a percent sign or thousands separators. */
  readonly isFormatted?: boolean
}

const LONGEST = 80
const EXACT_DIGITS = 15
// No leading zero: 007 is a code. No plus: +49 30 1234 is a telephone number.
const PLAIN = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:e[-+]?\d{1,3})?$/i
const ENGLISH = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
const CONTINENTAL = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/
const SPACED = /^[1-9]\d{0,2}(?:['’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?$/
// A comma followed by three digits may separate thousands.
const DECIMAL_COMMA = /^(?:0|[1-9]\d*),\d{1,2}$/

/** Number in a text; undefined for words, codes and ambiguous formats. */
export function numberInCell(cell: string): ReadNumber | undefined {
  if (cell.length > LONGEST || !/\d|nan|inf/i.test(cell)) return undefined
  const text = cell.trim().replace('−', '-')
  if (PLAIN.test(text)) return plainNumber(text)
  if (/^nan$/i.test(text)) return { value: Number.NaN }
  const endless = /^(-?)\+?inf(?:inity)?$/i.exec(text)
  if (endless !== null) return { value: endless[1] === '' ? Infinity : -Infinity }
  return formattedNumber(text)
}

/** Integer of any length. */
export function numberOfInteger(value: bigint): ReadNumber {
  const digits = String(value)
  return digits.length > EXACT_DIGITS ? { value: Number(value), digits } : { value: Number(value) }
}

function plainNumber(text: string): ReadNumber | undefined {
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  const digits = /e/i.test(text) ? '' : canonical(text)
  return digits.replaceAll(/[-.]/g, '').replace(/^0+/, '').length > EXACT_DIGITS ? { value, digits } : { value }
}

/** Removes insignificant zeros. */
function canonical(text: string): string {
  const bare = text.includes('.') ? text.replace(/\.?0{0,80}$/, '') : text
  return bare.replace(/^(-?)\./, '$10.').replace(/^-0$/, '0')
}

const CURRENCIES: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  USD: 'USD',
  '€': 'EUR',
  EUR: 'EUR',
  '£': 'GBP',
  GBP: 'GBP',
  '¥': 'JPY',
  JPY: 'JPY',
  '₹': 'INR',
  INR: 'INR',
  CHF: 'CHF',
  CAD: 'CAD',
  AUD: 'AUD',
}
const CURRENCY = String.raw`US\$|[$€£¥₹]|USD|EUR|GBP|JPY|INR|CHF|CAD|AUD`
const AMOUNT = new RegExp(
  String.raw`^(?<open>\()?(?<sign>-)?\s?(?:(?<before>${CURRENCY})\s?(?<inner>-)?)?(?<figure>\d[\d.,'’\u00a0\u202f ]*|\.\d+)(?:\s?(?<after>${CURRENCY}))?(?<percent>\s?%)?(?<close>\))?$`,
)

/** `$1,234.50`, `12,50 €`, `-$5`, `(1,234)` as accountants write negative amounts, `12.3 %`. */
function formattedNumber(text: string): ReadNumber | undefined {
  const { open, sign, before, inner, figure = '', after, percent, close } = AMOUNT.exec(text)?.groups ?? {}
  const signs = [open, sign, inner].filter((one) => one !== undefined).length
  if ((open === undefined) !== (close === undefined) || signs > 1 || (before !== undefined && after !== undefined))
    return undefined
  const bare = inPoints(figure.trim())
  if (bare === undefined) return undefined
  const currency = CURRENCIES[before ?? after ?? '']
  const isPercent = percent !== undefined
  if (isPercent && currency !== undefined) return undefined
  return {
    ...plainNumber(`${signs > 0 ? '-' : ''}${bare}`)!,
    ...(currency !== undefined && { currency }),
    ...(isPercent && { isPercent }),
    ...((currency !== undefined || isPercent || ENGLISH.test(figure)) && { isFormatted: true }),
  }
}

function inPoints(figure: string): string | undefined {
  if (PLAIN.test(figure)) return figure
  if (ENGLISH.test(figure)) return figure.replaceAll(',', '')
  if (CONTINENTAL.test(figure)) return figure.replaceAll('.', '').replace(',', '.')
  if (SPACED.test(figure)) return figure.replaceAll(/['’\u00a0\u202f ]/g, '').replace(',', '.')
  return DECIMAL_COMMA.test(figure) ? figure.replace(',', '.') : undefined
}

/** 12.3 % as 0.123. */
export function ofOne({ value, digits, ...rest }: ReadNumber): ReadNumber {
  // Shifts the text, because dividing by a hundred adds noise.
  return {
    ...rest,
    value: Number.isFinite(value) ? Number(`${digits ?? value}e-2`.replace(/e(.+)e-2$/, shifted)) : value,
  }
}

const shifted = (_all: string, exponent: string): string => `e${Number(exponent) - 2}`

/** Magnitude of a column's numbers on each side, which determines how large a difference counts as noise. */
export interface Magnitude {
  readonly expected: number
  readonly found: number
}

// Sums of a million doubles in another order differ by less; a cent in ten billion is more.
const NOISE = 1e-12
// Residue when numbers of the column's size cancel out.
const REMAINDER = 1e-14
const NEARLY_NOTHING = 1e-12

export function isSameNumber(a: ReadNumber, b: ReadNumber, tolerance: Tolerance, size: Magnitude): boolean {
  if (a.currency !== undefined && b.currency !== undefined && a.currency !== b.currency) return false
  if (Object.is(a.value, b.value) || a.value === b.value)
    return (
      a.digits === b.digits ||
      a.digits === undefined ||
      b.digits === undefined ||
      isTolerated(a, b, tolerance) ||
      isNoise(a, b, size)
    )
  if (!Number.isFinite(a.value) || !Number.isFinite(b.value)) return false
  return isTolerated(a, b, tolerance) || isNoise(a, b, size)
}

/** Maximum distance at which a number still counts as equal to an expected number. */
export function reachOf(value: number, { relative = 0, absolute = 0, decimals }: Tolerance, size: Magnitude): number {
  const [much, most] = [Math.abs(value), Math.max(size.expected, size.found)]
  const rounding = decimals === undefined ? 0 : 10 ** -decimals
  return absolute + relative * much + rounding + SINGLE * much + 2 * REMAINDER * most + 2 * NEARLY_NOTHING
}

const SINGLE = 2e-7

function isTolerated(expected: ReadNumber, found: ReadNumber, { relative, absolute, decimals }: Tolerance): boolean {
  if (relative === undefined && absolute === undefined && decimals === undefined) return false
  const room = Math.max(absolute ?? 0, (relative ?? 0) * Math.abs(expected.value))
  const apart =
    decimals === undefined
      ? Math.abs(expected.value - found.value)
      : roundedApart(expected.value, found.value, 10 ** decimals)
  // 0.4 - 0.3 is a little more than 0.1.
  return apart <= room * (1 + 1e-9)
}

/** Distance after rounding. A value on the edge may be rounded either way, because engines differ. */
function roundedApart(a: number, b: number, unit: number): number {
  const [lowA, highA] = roundings(a * unit)
  const [lowB, highB] = roundings(b * unit)
  return Math.max(0, lowA - highB, lowB - highA) / unit
}

function roundings(value: number): readonly [number, number] {
  const slack = 1e-9 + Math.abs(value) * NOISE
  return [Math.round(value - slack), Math.round(value + slack)]
}

/** Differences between numbers that a person could have written are never noise: 10,000,000.01 is not 10,000,000.02. */
const isNoise = (a: ReadNumber, b: ReadNumber, size: Magnitude): boolean =>
  isNear(a.value, b.value, size) && !(isShort(a) && isShort(b))

function isNear(a: number, b: number, size: Magnitude): boolean {
  const [apart, most] = [Math.abs(a - b), Math.max(Math.abs(a), Math.abs(b))]
  if (apart <= NOISE * most || most <= REMAINDER * Math.max(size.expected, size.found)) return true
  if (Math.min(size.expected, size.found) === 0 && most <= NEARLY_NOTHING) return true
  return apart <= SINGLE * most && (isSingle(a, b) || isSingle(b, a))
}

/** Whether `single` is a 32-bit float converted to a double, recognised by its many digits. */
const isSingle = (single: number, other: number): boolean =>
  Math.fround(single) === single && shapeOf(single).digits > 11 && Math.fround(other) === single

function isShort({ value, digits }: ReadNumber): boolean {
  if (digits !== undefined) return (digits.split('.')[1]?.length ?? 0) <= 6
  if (Number.isInteger(value)) return Number.isSafeInteger(value)
  const shape = shapeOf(value)
  return shape.digits <= EXACT_DIGITS && (shape.decimals <= 6 || shape.digits <= 8)
}

function shapeOf(value: number): { readonly digits: number; readonly decimals: number } {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '').length
  return { digits, decimals: Math.max(0, fraction.length - Number(exponent)) }
}
