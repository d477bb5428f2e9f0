import type { Column, TableDetails } from '../sql/catalogue.ts'
import type { Cell } from '../sql/query.ts'
import { codePattern } from './code-pattern.ts'
import { isDecimal, isFreeText, kindOf } from './column-kind.ts'
import { numberDateFormat, textDateFormat } from './date-format.ts'
import { jsonShape } from './json-shape.ts'
import {
  hasFewValues,
  isKeyName,
  rangeOf,
  type Profile,
  type ProfileColumn,
  type ProfiledColumn,
} from './table-profile.ts'

/** Facts about one column from a sample. */
export interface SampledColumn extends ProfileColumn {
  readonly cells: readonly Cell[]
  readonly shows: Pick<ProfiledColumn, 'pattern' | 'shape' | 'keys' | 'examples' | 'placeholders'>
}

/** Markers that people use for a missing value. */
const PLACEHOLDERS = new Set('null n/a na none nil nan - -- . ? unknown undefined (null) #n/a tbd'.split(' '))
const MOST_EXAMPLES = 2
const LONGEST_EXAMPLE = 40

/** Analyses the sample of every column: the kind and the format of its values. */
export function sampleColumns(
  table: Pick<TableDetails, 'primaryKey' | 'foreignKeys'>,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): readonly SampledColumn[] {
  const keys = new Set([...table.primaryKey, ...table.foreignKeys.flatMap((key) => key.columns)])
  return columns.map((column, i) => {
    const cells = rows.map((row) => row[i] ?? null)
    const type = typeOf(column, cells)
    const values = cells.filter((cell): cell is Exclude<Cell, null> => cell !== null)
    const texts = values.filter((value) => typeof value === 'string')
    const isText = isFreeText(type)
    const placeholders = isText ? texts.filter((text) => PLACEHOLDERS.has(text.trim().toLowerCase())) : []
    const said = texts.filter((text) => text !== '' && !placeholders.includes(text))
    const format = formatOf(column.name, type, { values, said })
    const isNested = kindOf(type) === 'nested' || (isText && said.length > 0)
    const nested = isNested && format === undefined ? (type.endsWith('[]') ? said.map(listAsJson) : said) : []
    const shape = nested.length === 0 ? undefined : jsonShape(nested, { values: true })
    const keysOnly = shape === undefined ? undefined : jsonShape(nested, { values: false })
    const pattern = isText && shape === undefined && format === undefined ? codePattern(said) : undefined
    return {
      name: column.name,
      type,
      isKey: keys.has(column.name) || isKeyName(column.name),
      format,
      isJson: shape !== undefined,
      cells,
      shows: {
        ...(shape !== undefined && { shape }),
        ...(keysOnly !== undefined && { keys: keysOnly }),
        ...(pattern !== undefined && { pattern }),
        ...(isText && shape === undefined && { examples: examplesOf(said) }),
        ...(placeholders.length > 0 && { placeholders: [...new Set(placeholders)].toSorted() }),
      },
    }
  })
}

/** Profile from sample rows, for a table that is not queried otherwise. */
export function profileSample(columns: readonly SampledColumn[], rows: number): Profile {
  const profiled = columns.map((column): ProfiledColumn => {
    const { name, type, format, cells } = column
    const values = cells.filter((cell): cell is Exclude<Cell, null> => cell !== null)
    const counts = new Map<string, number>()
    for (const value of values) counts.set(shown(value, type), (counts.get(shown(value, type)) ?? 0) + 1)
    const range = rangeIn(column, values)
    const nulls = cells.length - values.length
    return {
      name,
      type,
      nulls,
      null_percent: cells.length === 0 ? 0 : Math.round((nulls / cells.length) * 10_000) / 100,
      distinct: counts.size,
      ...(isFreeText(type) && { empty: counts.get('') ?? 0 }),
      ...(range !== undefined && rangeOf(...range, format)),
      ...(format !== undefined && { format: format.name }),
      ...(hasFewValues(column, counts.size) && {
        top: [...counts]
          .map(([value, count]) => ({ value, count }))
          .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
      }),
    }
  })
  return { rows, columns: profiled }
}

/** Base type of a domain; inferred from the cells if a SQLite column has no type. */
function typeOf({ type, base }: Column, cells: readonly Cell[]): string {
  if (base !== undefined) return base
  if (type !== '' && !/^any$/i.test(type)) return type
  const values = cells.filter((cell) => cell !== null)
  if (values.length === 0) return type
  if (values.every((value) => typeof value === 'number' || typeof value === 'bigint')) return 'REAL'
  return values.every((value) => typeof value === 'string') ? 'TEXT' : type
}

function formatOf(
  name: string,
  type: string,
  { values, said }: { readonly values: readonly Exclude<Cell, null>[]; readonly said: readonly string[] },
): SampledColumn['format'] {
  const kind = kindOf(type)
  const numbers = values.filter((value) => typeof value === 'number')
  // SQLite stores any value in a column of type DATE.
  if ((kind === 'number' || kind === 'date') && numbers.length === values.length && !isDecimal(type))
    return numberDateFormat(name, numbers)
  if (isFreeText(type)) return textDateFormat(name, said)
  const isOdd = kind === 'date' && said.length === values.length && said.every((text) => !/^\d{4}-\d\d-\d\d/.test(text))
  return isOdd ? textDateFormat(name, said) : undefined
}

const shown = (value: Exclude<Cell, null>, type: string): string => {
  const scale = isDecimal(type) ? /,\s*(\d+)\)/.exec(type)?.[1] : undefined
  return typeof value === 'number' && scale !== undefined ? value.toFixed(Number(scale)) : String(value)
}

function rangeIn(
  { type, isKey, format }: SampledColumn,
  values: readonly Exclude<Cell, null>[],
): readonly [string | number, string | number] | undefined {
  const kind = kindOf(type)
  if (format === undefined && kind !== 'date' && (kind !== 'number' || isKey)) return undefined
  const keys = values
    .map((value) => (format === undefined ? value : format.keyOf(value)))
    .filter((key) => typeof key === 'string' || typeof key === 'number')
  if (keys.length === 0) return undefined
  const told = (key: string | number): string | number =>
    format === undefined && kind === 'number' ? shown(key, type) : key
  return [told(keys.reduce((a, b) => (b < a ? b : a))), told(keys.reduce((a, b) => (b > a ? b : a)))]
}

/** The first short values, so that two syncs of the same sample return the same result. */
const examplesOf = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter((value) => value.length <= LONGEST_EXAMPLE).slice(0, MOST_EXAMPLES)

/** Converts a PostgreSQL list such as `{a,"b c",NULL}` to JSON. */
function listAsJson(cell: string): string {
  if (!cell.startsWith('{')) return cell
  const items = [...cell.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,{}"]+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plainItem(plain!) : quoted.replaceAll(/\\(.)/g, '$1'),
  )
  return JSON.stringify(items)
}

const plainItem = (text: string): string | number | null => {
  if (text === 'NULL') return null
  return /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text
}
