import type { Cell } from '../sql/query.ts'

/** Date format of a column without a date type, and how to find the first and the last date. */
export interface DateFormat {
  /** In common notation: `DD.MM.YYYY`, `epoch seconds`. */
  readonly name: string
  /** SQL that makes values in this format sort as dates; undefined if there is none. */
  sortKey(column: string): string | undefined
  /** SQL that is true for values in this format. */
  matches(column: string): string | undefined
  /** Result of `sortKey` for a value; undefined if it is not a date. */
  keyOf(value: Cell): Cell | undefined
  /** A `sortKey` value as it is stored. */
  stored(key: Cell): string
  /** The day of a `sortKey` value: `2024-01-31`. */
  day(key: Cell): string | undefined
}

/** Placeholders for a missing date. */
const NO_DATE = new Set(['0000-00-00', '0000-00-00 00:00:00', '00000000', '00.00.0000'])

const PICTURES = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'YYYYMMDD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYY-MM',
  'YYYYMM',
]
const NEEDS_NAME = new Set(['YYYYMMDD', 'YYYYMM'])
const FEW = 5

/** The format of a text column, when all its values share one. */
export function textDateFormat(name: string, given: readonly string[]): DateFormat | undefined {
  const values = given.filter((value) => value !== '' && !NO_DATE.has(value))
  if (values.length === 0) return undefined
  const found = PICTURES.filter(
    (picture) =>
      (!NEEDS_NAME.has(picture) || tellsDate(name) || (picture.length > 6 && new Set(values).size >= FEW)) &&
      values.every((value) => fitsPicture(value, picture)),
  )
  const [picture, other] = found
  if (picture === undefined) return undefined
  const tail = tailOf(values, picture.length)
  return other === undefined ? pictured(picture, tail) : unsure(`${picture} or ${other}${tail}`)
}

/** Days as numbers, `20240131`, or moments counted from 1970, if the column name implies a time. */
export function numberDateFormat(name: string, values: readonly number[]): DateFormat | undefined {
  if (values.length === 0 || !values.every(Number.isInteger)) return undefined
  const texts = values.map(String)
  const isTold = tellsDate(name)
  if ((isTold || new Set(texts).size >= FEW) && texts.every((text) => fitsPicture(text, 'YYYYMMDD')))
    return numbered('YYYYMMDD')
  if (!isTold) return undefined
  if (texts.every((text) => fitsPicture(text, 'YYYYMM'))) return numbered('YYYYMM')
  const unit = UNITS.find(({ per }) => values.every((value) => value >= EARLIEST * per && value < LATEST * per))
  if (unit === undefined) return undefined
  return {
    name: `epoch ${unit.name}`,
    sortKey: (column) => column,
    matches: () => undefined,
    keyOf: (value) => value,
    stored: (key) => String(key),
    day: (key) => new Date((Number(key) / unit.per) * 1000).toISOString().slice(0, 10),
  }
}

// 1990 and 2100: a smaller number is not a time.
const [EARLIEST, LATEST] = [631_152_000, 4_102_444_800]
const UNITS = [
  { name: 'seconds', per: 1 },
  { name: 'milliseconds', per: 1e3 },
  { name: 'microseconds', per: 1e6 },
]

const TIME_WORDS = new Set(
  'at ts dt time date datetime timestamp day epoch created updated modified deleted changed on since until from to expires expiry expiration seen start started begin end ended due login month period ym yyyymm yyyymmdd datum tag monat zeit stand unix unixtime utc valid posted booked sent paid ordered shipped received'.split(
    ' ',
  ),
)

/** Whether a word of the name implies time: `created_at`, `eventTime`, `date_key`. */
const tellsDate = (name: string): boolean =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => TIME_WORDS.has(word))

const partAt = (value: string, picture: string, part: 'YYYY' | 'MM' | 'DD'): string | undefined => {
  const at = picture.indexOf(part)
  return at < 0 ? undefined : value.slice(at, at + part.length)
}

function fitsPicture(value: string, picture: string): boolean {
  const [date, tail] = [value.slice(0, picture.length), value.slice(picture.length)]
  if (date.length < picture.length || (tail !== '' && !TAIL.test(tail))) return false
  if (tail !== '' && !picture.includes('DD')) return false
  const isAlike = [...picture].every((char, i) => (/[A-Z]/.test(char) ? /\d/.test(date[i]!) : char === date[i]))
  const year = Number(partAt(date, picture, 'YYYY'))
  const month = Number(partAt(date, picture, 'MM'))
  const day = Number(partAt(date, picture, 'DD') ?? 1)
  const isLong = year >= 1000 && (picture.length > 8 || (year >= 1900 && year <= 2100))
  return isAlike && isLong && month >= 1 && month <= 12 && day >= 1 && day <= 31
}

const TAIL = /^[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)? ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?)?$/

/** The time format after the date, if all values share one. */
function tailOf(values: readonly string[], length: number): string {
  const tails = new Set(
    values.map((value) =>
      value
        .slice(length)
        .replace(/^([T ])\d\d:\d\d/, '$1HH:MM')
        .replace(/^([T ]HH:MM):\d\d/, '$1:SS')
        .replaceAll(/\d/g, '0'),
    ),
  )
  return tails.size === 1 ? [...tails][0]! : '…'
}

function pictured(picture: string, tail: string): DateFormat {
  const sorts = picture.startsWith('YYYY')
  const like = picture.replaceAll(/[A-Z]/g, '_')
  const part = (column: string, name: 'YYYY' | 'MM' | 'DD'): string =>
    `SUBSTRING(${column}, ${picture.indexOf(name) + 1}, ${name.length})`
  const stored = (key: Cell): string => (sorts ? String(key) : inPicture(String(key), picture))
  return {
    name: picture + tail,
    matches: (column) => `${column} LIKE '${like}${tail === '' ? '' : '%'}'`,
    // Nested, because Redshift's CONCAT takes only two arguments.
    sortKey: (column) =>
      sorts ? column : `CONCAT(CONCAT(${part(column, 'YYYY')}, ${part(column, 'MM')}), ${part(column, 'DD')})`,
    keyOf: (value) => {
      if (!fitsPicture(String(value), picture)) return undefined
      return sorts ? value : dayOf(String(value), picture)?.replaceAll('-', '')
    },
    stored,
    day: (key) => dayOf(stored(key), picture),
  }
}

const unsure = (name: string): DateFormat => ({
  name,
  sortKey: () => undefined,
  matches: () => undefined,
  keyOf: () => undefined,
  stored: String,
  day: () => undefined,
})

const numbered = (picture: string): DateFormat => ({
  name: picture,
  sortKey: (column) => column,
  matches: () => undefined,
  keyOf: (value) => value,
  stored: String,
  day: (key) => dayOf(String(key), picture),
})

const inPicture = (key: string, picture: string): string =>
  picture.replace('YYYY', key.slice(0, 4)).replace('MM', key.slice(4, 6)).replace('DD', key.slice(6, 8))

function dayOf(value: string, picture: string): string | undefined {
  const [year, month, day] = (['YYYY', 'MM', 'DD'] as const).map((part) => partAt(value, picture, part))
  const told = [year, month, day].filter((part) => part !== undefined).join('-')
  return /^\d{4}-\d\d(?:-\d\d)?$/.test(told) ? told : undefined
}
