import type { ProfiledColumn } from '../sources/table-profile.ts'
import type { TableDetails } from '../sql/catalogue.ts'
import type { PersonalColumn } from './judge-columns.ts'
import { maskOf } from './kinds.ts'
import { maskSql } from './mask-sql.ts'
import { maskText } from './mask-text.ts'

/** Facts about a table that are needed to mask its texts. */
export interface KnownPersonal {
  readonly columns: readonly PersonalColumn[]
  /** Values seen in such columns. */
  readonly values: readonly string[]
  /** The dialect allows texts in double quotes. */
  readonly quotesText: boolean
}

/** A table description without personal data in its comments, defaults and definition. */
export function maskTable(table: TableDetails, known: KnownPersonal): TableDetails {
  const masking = { ...known, personal: namesOf(known), strict: false }
  const comment = (text: string | undefined): string | undefined =>
    text === undefined
      ? undefined
      : maskText(hideKnown(text, known))
          .text.replaceAll(WHO_TO_ASK, `$1${maskOf('name')}`)
          .replaceAll(BEFORE_A_CONTACT, maskOf('name'))
  const isPersonal = (name: string): boolean => masking.personal.has(name.toLowerCase())
  return {
    ...table,
    comment: comment(table.comment),
    ...(table.checks !== undefined && {
      checks: table.checks.map((check) => ({
        ...check,
        expression: maskSql(hideKnown(check.expression, known), masking),
      })),
    }),
    columns: table.columns.map((column) => ({
      ...column,
      ...(column.labels !== undefined && { labels: column.labels.map((label) => maskText(label, UNSURE).text) }),
      comment: isPersonal(column.name) ? comment(column.comment?.replace(EXAMPLE, '$1 …')) : comment(column.comment),
      default:
        column.default === undefined
          ? undefined
          : hideKnown(
              isPersonal(column.name)
                ? column.default.replaceAll(/'(?:[^']|'')+'/g, "'[value]'")
                : maskSql(column.default, masking),
              known,
            ),
    })),
    viewSql: table.viewSql === undefined ? undefined : maskSql(hideKnown(table.viewSql, known), masking),
  }
}

/** Query history, most frequent first; statements that differ only in their values are merged. */
export function maskQueries(
  queries: readonly { readonly sql: string; readonly times: number }[],
  known: KnownPersonal,
): readonly { readonly sql: string; readonly times: number }[] {
  const masking = { ...known, personal: namesOf(known), strict: true }
  const bySql = Map.groupBy(queries, ({ sql }) => maskSql(hideKnown(sql, known), masking))
  return [...bySql]
    .map(([sql, same]) => ({ sql, times: same.reduce((sum, { times }) => sum + times, 0) }))
    .toSorted((a, b) => b.times - a.times)
}

// Comments name contacts, and no list contains all names: matches two capitalised words after such a word, or before an
// e-mail address or a phone number.
const WHO_TO_ASK =
  /((?:^|[\s(])(?:[Aa]sk|[Cc]ontact|[Oo]wner|[Oo]wned by|[Mm]aintained by|[Mm]aintainer|[Rr]esponsible|[Ss]teward|[Qq]uestions?(?: to)?|[Cc]all|[Aa]pproved by|[Ss]igned by|[Aa]nsprechpartner(?:in)?|[Zz]uständig|[Vv]erantwortlich|(?:[Rr]ück)?[Ff]ragen an|[Kk]ontakt|[Gg]epflegt von)(?: is| ist)?:? {1,3})\p{Lu}[\p{L}\p{M}’'-]{1,30}(?: \p{Lu}[\p{L}\p{M}’'-]{1,30}){1,2}/gu
const BEFORE_A_CONTACT =
  /\p{Lu}[\p{L}\p{M}’'-]{1,30}(?: \p{Lu}[\p{L}\p{M}’'-]{1,30}){1,2}(?=[\s,;:(<]{1,3}\[(?:e-mail|phone)\])/gu

// Words usually followed by a value of the column.
const EXAMPLE =
  /(?<!\p{L})(e\. ?g\.|i\. ?e\.|for example|for instance|examples?:?|such as|like|sample:?|z\. ?B\.|beispiel:?|p\. ?ex\.|par exemple|p\. ?ej\.|por ejemplo|ad es\.|bijv\.|np\.)[ :,]*\S[^]*$/iu

const namesOf = ({ columns }: KnownPersonal): ReadonlySet<string> =>
  new Set(columns.map(({ name }) => name.toLowerCase()))

const TELLING: ReadonlySet<string> = new Set([
  'e-mail',
  'phone',
  'name',
  'address',
  'national id',
  'passport',
  'driving licence',
  'IBAN',
  'account',
  'card',
  'plate',
  'username',
  'personal text',
  'private',
])

/** Values of personal columns that are too distinctive to match by chance, and texts that contain personal values. */
export function tellingValues(
  { whole, inside }: { readonly whole: readonly PersonalColumn[]; readonly inside: readonly string[] },
  valuesOf: (column: string) => readonly string[],
): readonly string[] {
  return [...whole.filter(({ kind }) => TELLING.has(kind)).map(({ name }) => name), ...inside]
    .flatMap(valuesOf)
    .filter((value) => value.length >= 5 && value.length <= 2_000 && /[\p{Lu}\d@ ]/u.test(value))
}

const hideKnown = (text: string, { values }: KnownPersonal): string =>
  values.reduce((left, value) => (left.includes(value) ? left.replaceAll(value, maskOf('private')) : left), text)

/**
 * Masks personal values in a profile that did not occur in the sample, unless the column is to be shown. Withheld
 * columns have already lost their values.
 */
export function maskProfile<T extends { readonly columns: readonly ProfiledColumn[] }>(
  profile: T,
  isMasked: (column: string) => boolean,
): T {
  return {
    ...profile,
    columns: profile.columns.map((column) => (isMasked(column.name) ? (maskTexts(column) as ProfiledColumn) : column)),
  }
}

// A column of names or addresses is detected by its sample; single values cannot be distinguished from titles and
// shops.
const UNSURE = ['name', 'address'] as const

function maskTexts(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value, UNSURE).text
  if (Array.isArray(value)) return value.map(maskTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'name' || key === 'type' ? inner : maskTexts(inner)]),
  )
}
