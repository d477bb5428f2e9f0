import { ellipsis } from '../../../kernel/domain/text.ts'
import type { Column, ForeignKey, TableDetails, TableRef } from '../sql/catalogue.ts'
import type { Cell } from '../sql/query.ts'
import { nullText, valuesText, type ValueContext } from './column-values.ts'
import type { ColumnNote, TableNote } from './table-notes.ts'
import type { Profile, ProfiledColumn } from './table-profile.ts'

export interface ViewParts {
  readonly dialect: string
  readonly hidden: readonly string[]
  /** Covers all rows, or a sample if `whole` is false. */
  readonly profile: Profile
  readonly whole: boolean
  readonly notes: TableNote
}

/** The table data for the templates; hidden columns are removed. */
export function tableView(table: TableDetails, parts: ViewParts): Readonly<Record<string, unknown>> {
  const isShown = (name: string): boolean => !parts.hidden.includes(name)
  const facts = new Map(parts.profile.columns.map((column) => [column.name, column]))
  const columns = table.columns.filter(({ name }) => isShown(name))
  const room = ROOMS.find(({ most }) => columns.length <= most)!
  return {
    name: table.name,
    schema: table.schema,
    database: table.database,
    dialect: parts.dialect,
    full_name: `${table.schema}.${table.name}`,
    kind: table.kind,
    comment: table.comment ?? parts.notes.description ?? null,
    columns: columns.map((column) => columnView(column, { table, parts, facts: facts.get(column.name), room })),
    primary_key: table.primaryKey,
    foreign_keys: table.foreignKeys
      .filter((key) => key.columns.every(isShown))
      .map((key) => ({ ...key, on: joinText(table, key) })),
    indexes: table.indexes,
    checks: (table.checks ?? [])
      .filter(({ columns: named }) => named.length !== 1 && named.every(isShown))
      .map(({ expression }) => ellipsis(expression, LONGEST_CHECK)),
    partitions: table.partitions,
    rows: table.rows ?? null,
    looked_at: parts.whole || parts.profile.rows === 0 ? null : parts.profile.rows,
    through: parts.whole ? (lastDay(columns, facts) ?? null) : null,
    view_sql: table.viewSql?.trim() ?? null,
  }
}

interface Room {
  readonly most: number
  readonly values: number
  readonly about: number
}

// A table of 300 columns must stay readable, so each column gets less room.
const ROOMS: readonly Room[] = [
  { most: 40, values: 160, about: 400 },
  { most: 100, values: 90, about: 160 },
  { most: Number.POSITIVE_INFINITY, values: 50, about: 80 },
]

interface ColumnParts {
  readonly table: TableDetails
  readonly parts: ViewParts
  readonly facts: ProfiledColumn | undefined
  readonly room: Room
}

function columnView(column: Column, { table, parts, facts, room }: ColumnParts): Readonly<Record<string, unknown>> {
  const isNoted = ({ name }: ColumnNote): boolean => name.toLowerCase() === column.name.toLowerCase()
  const note: ColumnNote = parts.notes.columns.find(isNoted) ?? { name: column.name }
  const noted = note.values?.map(({ value }) => value) ?? []
  const context: ValueContext = {
    rows: parts.profile.rows,
    whole: parts.whole,
    room: room.values,
    meanings: new Map(note.values?.flatMap(({ value, meaning }) => (meaning === '' ? [] : [[value, meaning]]))),
    isDeclaredUnique: isUnique(column.name, table),
  }
  const told = column.labels === undefined && noted.length > 0 ? { ...column, labels: noted } : column
  return {
    name: column.name,
    type: typeText(column),
    nullable: column.nullable,
    nulls: nullText(column, facts, context),
    default: column.default ?? null,
    comment: column.comment ?? null,
    key: keyOf(column.name, table),
    values: valuesText(told, facts, context),
    about: aboutText(column, { note, table, most: room.about }),
  }
}

/** A type with labels is shown by name: the labels are among the values. */
function typeText({ type, base, labels }: Column): string {
  const short = labels === undefined ? type : type.replace(/\(.*'.*\)/s, '')
  return ellipsis(base === undefined ? short : `${short} (${base})`, LONGEST_TYPE)
}

function aboutText(
  column: Column,
  { note, table, most }: { readonly note: ColumnNote; readonly table: TableDetails; readonly most: number },
): string {
  const { comment, default: initial, name } = column
  const said = [comment, note.description === comment ? undefined : note.description]
  const checks = (table.checks ?? []).filter(({ columns }) => columns.length === 1 && columns[0] === name)
  return [
    ...said.map((text) => (text === undefined ? undefined : ellipsis(text, most))),
    note.unit === undefined ? undefined : `unit ${ellipsis(note.unit, LONGEST_WORD)}`,
    wordsText('also', note.synonyms, LONGEST_WORD),
    wordsText('metric', note.metrics, LONGEST_METRIC),
    ...checks.map(({ expression }) => `check ${ellipsis(expression, LONGEST_CHECK)}`),
    initial === undefined ? undefined : `default ${ellipsis(initial, LONGEST_DEFAULT)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const wordsText = (what: string, words: readonly string[] | undefined, longest: number): string | undefined =>
  words === undefined || words.length === 0
    ? undefined
    : `${what} ${words
        .slice(0, MOST_WORDS)
        .map((word) => ellipsis(word, longest))
        .join(', ')}`

// Dates that do not show how current the data is: planned dates, or dates about people and contracts.
const NOT_THROUGH = /birth|dob|expir|valid|until|due|plan|sched|end|deadline|to$|target|next|renew|cancel|delet/i
const LATEST = '2100'

/** Last day of the data, from the column whose name suggests that it records when things happened. */
function lastDay(
  columns: readonly Column[],
  facts: ReadonlyMap<string, ProfiledColumn>,
): { readonly day: string; readonly column: string } | undefined {
  const dated = columns.flatMap(({ name, nullable }) => {
    const day = facts.get(name)?.days?.[1]
    return day === undefined || day >= LATEST || NOT_THROUGH.test(name) ? [] : [{ day, column: name, nullable }]
  })
  const found = dated.find(({ nullable }) => !nullable) ?? dated[0]
  return found === undefined ? undefined : { day: found.day, column: found.column }
}

const LONGEST_DEFAULT = 120
const LONGEST_CHECK = 160
const LONGEST_TYPE = 200
const LONGEST_WORD = 40
const LONGEST_METRIC = 120
const MOST_WORDS = 8
const LONGEST_CELL = 80

/** Value as a preview cell: blank if missing, an empty string as SQL writes it. */
export const shownCell = (cell: Cell): string =>
  cell === null ? '' : cell === '' ? "''" : ellipsis(String(cell), LONGEST_CELL)

const isUnique = (column: string, { primaryKey, uniques = [], indexes }: TableDetails): boolean =>
  [primaryKey, ...uniques, ...indexes.filter(({ unique }) => unique).map(({ columns }) => columns)].some(
    (columns) => columns.length === 1 && columns[0] === column,
  )

function keyOf(column: string, table: TableDetails): string {
  const unique = isUnique(column, table) ? ['unique'] : []
  const own = table.primaryKey.includes(column) ? ['primary'] : unique
  const foreign = table.foreignKeys
    .filter((key) => key.columns.includes(column))
    .map((key) => `→ ${key.references.name}.${key.referenced[key.columns.indexOf(column)] ?? ''}`)
  return [...own, ...foreign].join(', ')
}

const joinText = (from: TableRef, key: ForeignKey): string =>
  key.columns
    .map((column, i) => `${from.name}.${column} = ${key.references.name}.${key.referenced[i] ?? column}`)
    .join(' AND ')
