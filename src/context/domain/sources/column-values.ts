import { ellipsis } from '../../../kernel/domain/text.ts'
import { inlineCode, markdownCell } from '../../../kernel/domain/text/markdown-cell.ts'
import type { Column } from '../sql/catalogue.ts'
import { isDecimal, kindOf } from './column-kind.ts'
import { isKeyName, type ProfiledColumn, type TopValue } from './table-profile.ts'

/** Context and limits for showing the values of a column. */
export interface ValueContext {
  readonly rows: number
  /** False if only some rows of the table were read: then nothing is claimed about all of them. */
  readonly whole: boolean
  /** The catalogue already declares the values unique. */
  readonly isDeclaredUnique: boolean
  /** Maximum characters for the values of one column. */
  readonly room: number
  /** Meanings of single values, in the words of the project. */
  readonly meanings: ReadonlyMap<string, string>
}

const LONGEST_VALUE = 60
const LONGEST_MEANING = 60

/** The values of a column as one line of Markdown for a table cell; empty if there is nothing to show. */
export function valuesText(column: Column, facts: ProfiledColumn | undefined, context: ValueContext): string {
  const listed = listText(column, facts, context)
  return [
    column.generated === undefined ? undefined : generatedText(column.generated),
    listed,
    facts === undefined ? undefined : rangeText(facts, context, listed !== undefined),
    facts?.shape === undefined && facts?.keys === undefined ? undefined : inlineCode(facts.shape ?? facts.keys!),
    facts === undefined ? undefined : manyText(facts, context, listed !== undefined),
    facts === undefined ? undefined : missingText(facts, context),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('; ')
}

/** The share of rows without a value; `no` if the engine allows none, `yes` if nothing was counted. */
export function nullText(column: Column, facts: ProfiledColumn | undefined, { rows }: ValueContext): string {
  if (!column.nullable) return 'no'
  return facts === undefined || rows === 0 ? 'yes' : percent(facts.nulls, rows)
}

/** All known values of a column, most frequent first, and further allowed ones. */
export function knownValues(column: Column, facts: ProfiledColumn | undefined): readonly string[] {
  const seen = facts?.top !== undefined && facts.top.length >= facts.distinct ? facts.top.map(({ value }) => value) : []
  return [...new Set([...seen, ...(column.labels ?? [])])].filter((value) => value !== '')
}

const generatedText = (generated: string): string =>
  generated === 'identity' ? 'generated' : `= ${inlineCode(ellipsis(generated, 120))}`

function listText(
  { labels = [], type }: Column,
  facts: ProfiledColumn | undefined,
  { rows, room, whole, meanings }: ValueContext,
): string | undefined {
  const top = facts?.top ?? []
  const unused = labels
    .filter((label) => top.every(({ value }) => value !== label))
    .map((value) => ({ value, count: 0 }))
  const all: readonly TopValue[] = [...top, ...unused]
  if (all.length === 0) return undefined
  const told = (value: string): string => {
    const meaning = meanings.get(value)
    return meaning === undefined
      ? valueText(value)
      : `${valueText(value)} ${markdownCell(ellipsis(meaning, LONGEST_MEANING))}`
  }
  const [only] = all
  if (all.length === 1 && facts?.distinct === 1 && rows > 1)
    return `${whole && facts.nulls === 0 ? 'always ' : ''}${told(only!.value)}`
  if (meanings.size === 0 && labels.length === 0 && (isRun(facts, type) || isCode(facts))) return undefined
  // Equal shares are not informative.
  const shares = top.length > 0 && new Set(all.map(({ count }) => percent(count, rows))).size > 1
  const parts: string[] = []
  let used = 0
  for (const { value, count } of all) {
    const part = shares ? `${told(value)} ${count === 0 ? '0' : percent(count, rows)}` : told(value)
    if (parts.length > 0 && used + part.length > room) break
    parts.push(part)
    used += part.length + 2
  }
  const known = Math.max(all.length, facts?.distinct ?? 0)
  const rest = known - parts.length
  return `${parts.join(', ')}${rest > 0 ? `, … ${known} in all` : ''}`
}

/** An empty text is shown as in SQL: empty backticks would not be code. */
const valueText = (value: string): string => (value === '' ? EMPTY : inlineCode(ellipsis(value, LONGEST_VALUE)))
const EMPTY = "`''`"

// A longer run of whole numbers is shown by its ends.
const LONGEST_RUN = 6

const isRun = (facts: ProfiledColumn | undefined, type: string): boolean =>
  facts !== undefined &&
  kindOf(type) === 'number' &&
  !isDecimal(type) &&
  facts.distinct > LONGEST_RUN &&
  Number(facts.max) - Number(facts.min) + 1 === facts.distinct

// If there are more codes than this, their shape is more useful than the first codes.
const MOST_CODES = 12

const isCode = (facts: ProfiledColumn | undefined): boolean =>
  facts?.pattern !== undefined && facts.distinct > MOST_CODES

function rangeText(facts: ProfiledColumn, { rows }: ValueContext, isListed: boolean): string {
  const { min, max, format, formatted, days, type, nulls, empty = 0 } = facts
  const kind = kindOf(type)
  const name = format === undefined ? '' : `${kind === 'number' ? '' : 'text '}${inlineCode(format)}`
  if (min === undefined || max === undefined || (isListed && kind === 'number')) return name
  const told = format === undefined && days !== undefined ? momentsText : endsText
  const epoch = format?.startsWith('epoch') === true && days !== undefined ? ` (${days[0]} … ${days[1]})` : ''
  const filled = rows - nulls - empty
  const share = formatted === undefined || formatted >= filled ? '' : ` in ${percent(formatted, rows)}`
  return [name, `${told(shown(min), shown(max))}${epoch}${share}`].filter(Boolean).join(' ')
}

const endsText = (min: string, max: string): string =>
  min === max ? inlineCode(min) : `${markdownCell(min)} … ${markdownCell(max)}`

const shown = (value: unknown): string =>
  typeof value === 'number' && !Number.isInteger(value) ? String(Number(value.toPrecision(12))) : String(value)

/** The range in days, with the time of day if both ends are on the same day. */
function momentsText(min: string, max: string): string {
  const [from, to] = [min.slice(0, 10), max.slice(0, 10)]
  if (from !== to) return endsText(from, to)
  return min === max ? markdownCell(min.slice(0, 19)) : endsText(min.slice(0, 19), max.slice(0, 19))
}

/** The number and form of the values in a column that has many. */
function manyText(facts: ProfiledColumn, { rows, whole, isDeclaredUnique }: ValueContext, isListed: boolean): string {
  if (isListed || rows === 0) return ''
  const filled = rows - facts.nulls
  if (filled === 0) return whole ? 'all null' : ''
  const { pattern, examples = [], format, shape } = facts
  const isText = kindOf(facts.type) === 'text' && format === undefined && shape === undefined
  const isUnique =
    whole && filled > 1 && facts.distinct === filled && (isText || (isKeyName(facts.name) && format === undefined))
  const count = isUnique ? (isDeclaredUnique ? '' : 'unique') : isText ? `${facts.distinct} distinct` : ''
  const look =
    pattern === undefined ? examples.map((value) => inlineCode(value)).join(', ') : `like ${inlineCode(pattern)}`
  return [count, format === undefined ? look : ''].filter(Boolean).join(', ')
}

function missingText({ empty = 0, placeholders = [], top = [] }: ProfiledColumn, { rows }: ValueContext): string {
  const isListed = top.some(({ value }) => value === '')
  const parts = [
    ...(empty > 0 && !isListed ? [`${EMPTY} ${percent(empty, rows)}`] : []),
    ...(placeholders.length > 0 ? [`${placeholders.map((value) => inlineCode(value)).join(', ')} for missing`] : []),
  ]
  return parts.join(', ')
}

function percent(count: number, rows: number): string {
  const share = (count / rows) * 100
  if (count === 0) return '0%'
  if (share < 1) return '<1%'
  return count < rows && share > 99 ? '>99%' : `${Math.round(share)}%`
}
