import { PEOPLE, WATCHED, type Kind, type Person } from './people.ts'
import { randomOf } from './random.ts'

/** Definition of the company's tables: columns and how their values are generated. */
export interface Table {
  readonly kind: 'table'
  readonly name: string
  readonly rows: number
  readonly about: string | undefined
  readonly columns: Readonly<Record<string, Column>>
  readonly key: readonly string[]
  readonly checks: readonly string[]
  readonly joins: readonly Join[]
  /** Each row is about a different person: the first, the second and so on. */
  readonly eachPerson: boolean
}

export interface View {
  readonly kind: 'view' | 'materialized view'
  readonly name: string
  readonly about: string | undefined
  readonly sql: string
  /** Columns with the same content as a table column. */
  readonly same: Readonly<Record<string, string>>
}

export interface Join {
  readonly columns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
  readonly declared: boolean
  readonly cardinality: 'n:1' | '1:1'
  /** Condition on another column: `entity_type = 'order'`. */
  readonly when?: string
}

export type Value = string | number | boolean | null | readonly (string | number)[] | object
export type Row = Readonly<Record<string, Value>>

export interface Column extends Options {
  readonly type: string
  readonly labels?: readonly string[]
  readonly ref?: string
  make(draw: Draw): Value
}

interface Options {
  readonly about?: string
  /** The share of rows without a value; 0 makes it NOT NULL. */
  readonly none?: number
  readonly unique?: boolean
  readonly default?: string
  /** The placeholder for unknown or forever, and the share of rows that contain it. */
  readonly instead?: readonly [Value, number]
  /** For a reference: whether it is declared in the database. */
  readonly declared?: boolean
  /** For a reference: each row has a different parent. */
  readonly one?: boolean
  /** Distinguishes two references to one table. */
  readonly slot?: string
  /** Share of dangling references. */
  readonly orphans?: number
}

export interface Draw {
  readonly i: number
  /** The columns generated before this one. */
  readonly row: Row
  readonly who: Person
  next(): number
  from<T>(list: readonly T[]): T
  /** Returns a row of another table: the same one for all columns of the current row. */
  parent(table: string, slot?: string): Row
  parentAt(table: string, at: number): Row
}

type More = Partial<Pick<Table, 'key' | 'checks' | 'joins' | 'eachPerson'>>

export const table = (
  name: string,
  rows: number,
  about: string | undefined,
  columns: Readonly<Record<string, Column>>,
  more: More = {},
): Table => ({
  kind: 'table',
  name,
  rows,
  about,
  columns,
  key: more.key ?? (columns['id'] ? ['id'] : []),
  checks: more.checks ?? [],
  joins: more.joins ?? [],
  eachPerson: more.eachPerson ?? false,
})

export const view = (
  name: string,
  about: string | undefined,
  sql: string,
  same: View['same'] = {},
  kind: View['kind'] = 'view',
): View => ({ kind, name, about, sql, same })

export const composite = (columns: string, to: string, toColumns = columns, declared = true): Join => ({
  columns: columns.split(' '),
  to,
  toColumns: toColumns.split(' '),
  declared,
  cardinality: 'n:1',
})

export const made = (type: string, make: (draw: Draw) => Value, options: Options = {}): Column => ({
  none: 0,
  ...options,
  type,
  make,
})

export const serial = (about?: string, first = 1): Column =>
  made('integer', ({ i }) => first + i, about === undefined ? {} : { about })
export const text = (make: (draw: Draw) => string, options: Options = {}): Column => made('text', make, options)
export const code = (prefix: string, width: number, options: Options = {}): Column =>
  made('text', ({ i }) => prefix + String(i + 1).padStart(width, '0'), { unique: true, ...options })

/** An integer column. The first row has the least and the second the greatest value, so that the range is fixed. */
export const int = (least: number, most: number, options: Options = {}, type = 'integer'): Column =>
  made(type, (draw) => Math.round(least + ends(draw) * (most - least)), options)
export const money = (least: number, most: number, options: Options = {}): Column =>
  made('numeric(12,2)', (draw) => (least + ends(draw) * (most - least)).toFixed(2), options)
export const ratio = (least: number, most: number, options: Options = {}): Column =>
  made('numeric(8,4)', (draw) => (least + ends(draw) * (most - least)).toFixed(4), options)
export const flag = (share: number, options: Options = {}): Column =>
  made('boolean', ({ next }) => next() < share, options)

/** A column of given values. The first are the most frequent; every value occurs in one of the first rows. */
export const pick = (labels: readonly (string | number)[], options: Options = {}, type?: string): Column => ({
  ...made(
    type ?? (typeof labels[0] === 'number' ? 'smallint' : 'text'),
    ({ i, next }) => labels[i < labels.length ? i : Math.floor(next() ** 1.6 * labels.length)]!,
    options,
  ),
  labels: labels.map(String),
})
export const enumOf = (type: string, labels: readonly string[], options: Options = {}): Column =>
  pick(labels, options, `enum ${type}`)
export const list = (labels: readonly string[], options: Options = {}): Column => ({
  ...made('text[]', ({ i, next }) => labels.filter((_, at) => at === i || next() < 0.25), options),
  labels,
})
export const json = (make: (draw: Draw) => object, options: Options = {}): Column => made('jsonb', make, options)

export const date = (first: string, last: string, options: Options = {}): Column =>
  made('date', (draw) => moment(draw, first, last).slice(0, 10), options)
export const stamp = (first: string, last: string, options: Options = {}): Column =>
  made('timestamp', (draw) => moment(draw, first, last).slice(0, 19).replace('T', ' '), options)
export const epoch = (first: string, last: string, per: 1 | 1000, options: Options = {}): Column =>
  made('bigint', (draw) => (Date.parse(`${moment(draw, first, last).slice(0, 19)}Z`) / 1000) * per, options)
export const textDate = (format: string, first: string, last: string, options: Options = {}): Column =>
  made('text', (draw) => spelled(format, moment(draw, first, last)), options)

export const spelled = (format: string, iso: string): string =>
  format.replace('YYYY', iso.slice(0, 4)).replace('MM', iso.slice(5, 7)).replace('DD', iso.slice(8, 10))

/** A reference to `schema.table.column` in a table defined earlier. */
export const ref = (to: string, options: Options & { type?: string } = {}): Column => {
  const [target, column] = [to.slice(0, to.lastIndexOf('.')), to.slice(to.lastIndexOf('.') + 1)]
  return {
    ...made(
      options.type ?? 'integer',
      (draw) => {
        const parent = options.one ? draw.parentAt(target, draw.i) : draw.parent(target, options.slot)
        const value = parent[column]!
        if (!options.orphans || draw.next() >= options.orphans) return value
        return typeof value === 'number' ? value + 900_000 : `${String(value)}9`
      },
      options,
    ),
    ref: to,
  }
}
/** Another column of the referenced parent row, for composite references and copies. */
export const of = (to: string, type = 'integer', options: Options = {}): Column =>
  made(
    type,
    (draw) => draw.parent(to.slice(0, to.lastIndexOf('.')), options.slot)[to.slice(to.lastIndexOf('.') + 1)]!,
    options,
  )
export const who = (kind: Kind, options: Options = {}, type = 'text'): Column =>
  made(type, (draw) => draw.who.values[kind], options)

export function drawRow(own: Table, i: number, rowsOf: (table: string) => readonly Row[]): Row {
  const next = randomOf(`${own.name} ${i}`)
  const row: Record<string, Value> = {}
  const parents = new Map<string, Row>()
  const at = (name: string, place: number): Row => {
    const rows = rowsOf(name)
    return rows[place % rows.length]!
  }
  const draw: Draw = {
    i,
    row,
    next,
    who: own.eachPerson ? PEOPLE[i % PEOPLE.length]! : someone(i, next),
    from: (list) => list[Math.floor(next() * list.length)]!,
    parent(name, slot = '') {
      const known = parents.get(name + slot) ?? at(name, Math.floor(next() ** 1.2 * rowsOf(name).length))
      parents.set(name + slot, known)
      return known
    },
    parentAt: at,
  }
  for (const [name, column] of Object.entries(own.columns)) {
    const value = column.make(draw)
    const [instead, share] = column.instead ?? [null, column.none ?? 0]
    row[name] = share > 0 && i > 1 && next() < share ? instead : value
  }
  return row
}

function someone(i: number, next: () => number): Person {
  if (i < WATCHED.length) return WATCHED[i]!
  return next() < 0.3 ? WATCHED[Math.floor(next() * WATCHED.length)]! : PEOPLE[Math.floor(next() * PEOPLE.length)]!
}

function ends({ i, next }: Draw): number {
  const chance = next()
  return i < 2 ? i : chance
}

function moment(draw: Draw, first: string, last: string): string {
  const [from, to] = [instant(first), instant(last)]
  return new Date(from + ends(draw) * (to - from)).toISOString()
}

const instant = (iso: string): number =>
  Date.parse(iso.length === 10 ? `${iso}T00:00:00Z` : `${iso.replace(' ', 'T')}Z`)
