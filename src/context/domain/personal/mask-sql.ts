import { isFamilyName, isGivenName } from './given-names.ts'
import { maskCell } from './mask-cell.ts'
import { maskText } from './mask-text.ts'
import { personalByName } from './personal-name.ts'

export interface SqlMasking {
  /** Lower-case names of known personal columns, besides those with a personal name. */
  readonly personal: ReadonlySet<string>
  /** Query history contains unreviewed values: only codes, times and formats are kept. */
  readonly strict: boolean
  /** Double quotes enclose a text, not a name. */
  readonly quotesText: boolean
}

type Part = { readonly kind: 'text' | 'number' | 'word' | 'name' | 'comment' | 'other'; readonly text: string }

const VALUE = `'[value]'`

/**
 * A statement without personal data in its literals and comments. A literal in the same condition as a personal column
 * is always masked; strict masking keeps only values that cannot be personal.
 */
export function maskSql(sql: string, masking: SqlMasking): string {
  const parts = split(sql, masking.quotesText)
  const masked = segments(parts).flatMap((segment) => {
    const isPersonal = segment.some(
      ({ kind, text }) =>
        (kind === 'word' || kind === 'name') && isPersonalColumn(text.replaceAll(/^["`[]|["`\]]$/g, ''), masking),
    )
    return segment.map((part) => maskedPart(part, isPersonal, masking))
  })
  const text = masked.join('')
  if (!masking.strict) return maskText(text, ['name', 'address']).text
  const lines = text.split('\n').map((line) => line.trimEnd())
  return maskText(
    lines
      .filter((line) => line !== '')
      .join('\n')
      .trim(),
  ).text
}

const isPersonalColumn = (name: string, { personal }: SqlMasking): boolean =>
  personal.has(name.toLowerCase()) ||
  personalByName(name, undefined) !== undefined ||
  /^(?:full|first|last|sur|vor|nach)?_?name$/i.test(name)

function maskedPart({ kind, text }: Part, isPersonal: boolean, { strict }: SqlMasking): string {
  if (kind === 'comment') return strict ? ' ' : maskText(text).text
  if (kind === 'number')
    return (isPersonal && text.length > 3) || (strict && text.replaceAll(/\D/g, '').length >= 7) ? VALUE : text
  if (kind !== 'text') return text
  const value = text.replaceAll(/^[A-Za-z]?['"]|['"]$|^\$\w*\$|\$\w*\$$/g, '')
  if (isHarmless(value)) return text
  if (isPersonal) return VALUE
  if (strict && !isCode(value)) return VALUE
  const hidden = maskCell(value, { subject: undefined, except: [] })
  return hidden === value ? text : `'${hidden.replaceAll("'", "''")}'`
}

/** Wildcards, parts of dates, durations and formats. */
const isHarmless = (value: string): boolean =>
  /^[%_]?$/.test(value) ||
  /^(?:microsecond|millisecond|second|minute|hour|day|week|month|quarter|year|isoyear|dow|doy|epoch|utc)s?$/i.test(
    value,
  ) ||
  /^-?\d{1,4} (?:second|minute|hour|day|week|month|year)s?$/i.test(value) ||
  /^[%YMDHSQWymdhsia:/. -]{2,30}$/.test(value)

/** A program-style word, a date or a short number. */
const isCode = (value: string): boolean =>
  (/^(?:[a-z]+(?:[_-][a-z]+){0,4}|[A-Z]+(?:[_-][A-Z]+){0,4})$/.test(value) &&
    value.length <= 24 &&
    !value.split(/[_-]/).some((word) => isGivenName(word) || isFamilyName(word))) ||
  /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/.test(value) ||
  /^\d{1,4}(?:\.\d{1,4})?$/.test(value)

const ENDS = /^(?:select|from|where|and|or|on|having|join|group|order|union|limit|values|qualify)$/i

/** Runs of one condition or one list item; a literal and the expression it is compared with are in the same run. */
function segments(parts: readonly Part[]): readonly (readonly Part[])[] {
  const found: Part[][] = [[]]
  const depths = [0]
  let [depth, isBetween] = [0, false]
  for (const part of parts) {
    if (part.text === '(') depth++
    if (part.text === ')') depth--
    if (part.kind === 'word' && /^between$/i.test(part.text)) isBetween = true
    const isAnd = part.kind === 'word' && /^and$/i.test(part.text)
    const isEnd = part.kind === 'word' && ENDS.test(part.text) && !(isAnd && isBetween)
    if (isAnd) isBetween = false
    if (isEnd || (part.text === ',' && depth <= depths.at(-1)!)) {
      found.push([part])
      depths.push(depth)
    } else found.at(-1)!.push(part)
  }
  return found
}

const TOKENS =
  /(?<comment>--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<text>[eEnNxXbBrR]?'(?:[^'\\]|''|\\[^])*'?|\$(?<tag>\w*)\$[^]*?(?:\$\k<tag>\$|$))|(?<name>"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]\n']{0,128}\])|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<number>\d[\d.]*)|(?<other>[^])/gu

function split(sql: string, quotesText: boolean): readonly Part[] {
  return [...sql.matchAll(TOKENS)].map(({ 0: text, groups }) => {
    const [kind = 'other'] =
      Object.entries(groups ?? {}).find(([name, value]) => name !== 'tag' && value !== undefined) ?? []
    return { kind: (kind === 'name' && quotesText && text.startsWith('"') ? 'text' : kind) as Part['kind'], text }
  })
}
