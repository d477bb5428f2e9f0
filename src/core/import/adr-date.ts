const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * The first date in a text as an ISO day: 2024-03-01 (also with a time, slashes or dots), 1 March 2024, March 1, 2024,
 * 01/03/2024. Where day and month cannot be told apart the day is taken to come first, as everywhere but in one
 * country.
 */
export function dateIn(text: string): string | undefined {
  const [, y, m, d] = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text) ?? []
  if (y !== undefined) return isoDay(Number(y), Number(m), Number(d))
  return namedMonth(text) ?? dayFirst(text)
}

/** The date a file name starts with: `2024-03-01-title`, `20240301-title`; also further in, after a separator. */
export function dateInName(name: string): string | undefined {
  const [, y, m, d] =
    /(?:^|[^0-9])(\d{4})-(\d{2})-(\d{2})(?![0-9])/.exec(name) ?? /^(\d{4})(\d{2})(\d{2})(?![0-9])/.exec(name) ?? []
  return y === undefined ? undefined : isoDay(Number(y), Number(m), Number(d))
}

function namedMonth(text: string): string | undefined {
  const month = MONTHS.join('|')
  const dayBefore = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(${month})[a-z]*\\.?,?\\s+(\\d{4})\\b`, 'i').exec(text)
  if (dayBefore !== null) return isoDay(Number(dayBefore[3]), monthNumber(dayBefore[2]!), Number(dayBefore[1]))
  const dayAfter = new RegExp(`\\b(${month})[a-z]*\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'i').exec(text)
  return dayAfter === null ? undefined : isoDay(Number(dayAfter[3]), monthNumber(dayAfter[1]!), Number(dayAfter[2]))
}

const monthNumber = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

function dayFirst(text: string): string | undefined {
  const [, first, second, third] = /\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b/.exec(text) ?? []
  if (first === undefined) return undefined
  const year = third!.length === 2 ? 2000 + Number(third) : Number(third)
  return isoDay(year, Number(second), Number(first)) ?? isoDay(year, Number(first), Number(second))
}

function isoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const real = year >= 1970 && year < 2100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return real ? date.toISOString().slice(0, 10) : undefined
}
