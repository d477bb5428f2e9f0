/** A number as prose shows it. */
export interface ShownNumber {
  /** The number as written, with its sign, currency and unit. */
  readonly text: string
  readonly at: number
  /** Possible values: `1.234` is over a thousand in some notations, and little more than one in others. */
  readonly readings: readonly Reading[]
  readonly isPercent: boolean
}

export interface Reading {
  readonly value: number
  /** Half of the last digit: the maximum rounding error. */
  readonly tolerance: number
}

const FIGURE = String.raw`\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3}){1,6}(?!\d)(?:[.,]\d{1,12})?|\d{1,18}(?:[.,]\d{1,12})?`
const UNIT = String.raw`percentage points?|per ?cent|percent|pp|%|thousand|trillion|billion|million|bn|mn|mio|tn|[kKMBT]`
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,])(?<sign>[-−+])?(?<currency>[$€£¥]\s?|(?:USD|EUR|GBP|CHF)\s)?(?<inner>[-−])?(?<figure>${FIGURE})(?<unit>\s?(?:${UNIT})(?![\p{L}\p{N}_]))?(?<tail>[\p{L}_]?)`,
  'gu',
)

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
}

/** Every standalone number; digits inside words and names are excluded. */
export function numbersIn(text: string): readonly ShownNumber[] {
  const found: ShownNumber[] = []
  for (const match of text.matchAll(NUMBER)) {
    const { sign = '', inner = '', figure = '', unit = '', tail = '' } = match.groups!
    // Digits that continue as a word, or that a hyphen joins to one: 3x, COVID-19.
    if (tail !== '' || /\p{L}[-–]$/u.test(text.slice(Math.max(0, match.index - 3), match.index))) continue
    const isNegative = /[-−]/.test(sign) || inner !== ''
    const word = unit.trim().toLowerCase()
    const isPercent = /^(?:%|per ?cent|percent|pp|percentage points?)$/.test(word)
    const scale = Object.hasOwn(SCALES, word) ? SCALES[word]! : 1
    found.push({
      text: match[0].trim(),
      at: match.index,
      readings: readingsOf(figure).map(({ value, tolerance }) => ({
        value: (isNegative ? -value : value) * scale,
        tolerance: tolerance * scale,
      })),
      isPercent,
    })
  }
  return found
}

/** Reads a number in English and continental notation: a comma or a point before three digits may be either. */
function readingsOf(figure: string): readonly Reading[] {
  const bare = figure.replaceAll(/['’\u00a0\u202f ]/g, '')
  const readings = [asNumber(bare.replaceAll(',', ''))]
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(bare) || /^\d+,(?!\d{3}$)\d+$/.test(bare))
    readings.push(asNumber(bare.replaceAll('.', '').replace(',', '.')))
  return readings.filter((reading) => reading !== undefined)
}

function asNumber(text: string): Reading | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return undefined
  const decimals = text.split('.')[1]?.length ?? 0
  return { value: Number(text), tolerance: 0.5 * 10 ** -decimals }
}

/** Formats another value like a number in a text: with its sign, currency, separators, decimals and unit. */
export function writtenLike(number: ShownNumber, { was, now }: { readonly was: number; readonly now: number }): string {
  const { sign = '', currency = '', figure = '', unit = '' } = new RegExp(NUMBER.source, 'u').exec(number.text)!.groups!
  // A percentage may be a cell of 0.12, and a loss of 5 one of -5.
  const manners = number.readings.flatMap((reading, at) =>
    (number.isPercent ? [1, 0.01, -1, -0.01] : [1, -1]).map((factor) => ({
      factor,
      isContinental: at === 1,
      off: Math.abs(reading.value * factor - was),
    })),
  )
  const { factor, isContinental } = manners.reduce((best, one) => (one.off < best.off * (1 - 1e-9) ? one : best))
  const scale = SCALES[unit.trim().toLowerCase()] ?? 1
  const [point, comma] = isContinental ? [',', '.'] : ['.', ',']
  const [whole = '', decimals = ''] = figure.split(new RegExp(`\\${point}(?=\\d+$)`))
  const separator = /\D/.exec(whole)?.[0] ?? (whole.length > 3 ? '' : comma)
  const shown = Math.abs(now / factor)
  const inUnit = (shown / scale).toFixed(decimals.length)
  // In the unit of 1.2M, 900 would become 0.0M.
  const isTooSmall = Number(inUnit) === 0 && shown !== 0
  const [digits = '', rest = ''] = (isTooSmall ? plainDigits(shown) : inUnit).split('.')
  const grouped = digits.replaceAll(/\B(?=(?:\d{3})+$)/g, separator)
  const minus = /−/.test(number.text) ? '−' : '-'
  const signed = now / factor < 0 ? minus : sign === '+' ? '+' : ''
  return `${signed}${currency}${grouped}${rest === '' ? '' : point + rest}${isTooSmall && scale !== 1 ? '' : unit}`
}

const plainDigits = (value: number): string =>
  value >= 1 ? String(Math.round(value * 100) / 100) : value.toFixed(Math.min(20, 1 - Math.floor(Math.log10(value))))
