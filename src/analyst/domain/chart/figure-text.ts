/** A readable number: thousands separated, and only significant decimals. */
export function figureText(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return value.toExponential(2).replace('e+', 'e')
  const digits = size >= 1_000 || Number.isInteger(value) ? (size >= 100_000 ? 0 : 2) : size >= 1 ? 2 : 4
  return grouped(
    value
      .toFixed(digits)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, ''),
  )
}

const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const
// From this value on an axis shows 12k; below it, a number such as 9,000 is equally short.
const FIRST_SHORT = 10_000

/**
 * Formats a figure in short form (12k, 3.4M) for an axis with `most` as its largest figure, so that all its figures
 * share one unit.
 */
export function shortFigure(value: number, most = value): string {
  const size = Math.abs(most)
  const unit = size < FIRST_SHORT || size >= 1e15 ? undefined : UNITS.find(([least]) => size >= least)
  if (unit === undefined || value === 0) return figureText(value)
  const scaled = value / unit[0]
  return `${grouped(scaled.toFixed(Math.abs(scaled) >= 100 ? 1 : 3).replace(/\.?0+$/, ''))}${unit[1]}`
}

const MOST_DIGITS = 1e6

/** Formats a figure beside a bar or a slice: exact while that is short. */
export const labelFigure = (value: number): string => {
  if (Math.abs(value) < MOST_DIGITS) return figureText(value)
  const rounded = Number(value.toPrecision(4))
  return shortFigure(rounded)
}

function grouped(text: string): string {
  const [whole = '', rest] = text.split('.')
  const sign = whole.startsWith('-') ? '-' : ''
  const digits = whole.slice(sign.length).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const shown = rest === undefined ? digits : `${digits}.${rest}`
  return /[1-9]/.test(shown) ? sign + shown : shown
}
