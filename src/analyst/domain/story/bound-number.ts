import { plural } from '../../../kernel/domain/text.ts'
import { numberOf } from '../chart/cell-values.ts'
import { figuresOf, type Aggregate, type CitedQuery } from '../citation/figures-of.ts'

/** A cited number with the cell that it named when written, so that a refresh updates it. */
export interface BoundNumber {
  /** The citation as written: its text and its target. */
  readonly label: string
  readonly place: string
  /** Undefined for the number of rows. */
  readonly column?: string | undefined
  /** 1-based row, or the aggregate over all rows. */
  readonly row?: number | undefined
  readonly by?: Aggregate | undefined
  readonly value: number
  /** Cells that identify the row, by column: rows move when data changes. Empty: it was the only row. */
  readonly names?: readonly (readonly [column: string, cell: string])[] | undefined
  /** The cell was the largest or the smallest of several. */
  readonly end?: 'most' | 'least' | undefined
  /** The value before the last refresh. */
  readonly was?: number | undefined
}

export type Bindable = Pick<BoundNumber, 'label' | 'place' | 'column' | 'row' | 'by'>

/** Binds a number that was found in a result; undefined if it has no value there. */
export function bindNumber(given: Bindable, query: CitedQuery): BoundNumber | undefined {
  const value = valueAt(given, query, given.row)
  if (value === undefined) return undefined
  const names =
    given.row === undefined || given.column === undefined ? undefined : namesOf(query, given.row, given.column)
  const end = given.row === undefined ? undefined : endOf(given.column, value, query)
  return { ...given, value, ...(names !== undefined && { names }), ...(end !== undefined && { end }) }
}

export type CurrentNumber =
  | { readonly value: number; readonly row?: number; readonly end?: 'most' | 'least' }
  | { readonly missing: string }

/** The current value of a bound number, or why there is none. */
export function currentNumber(bound: BoundNumber, query: CitedQuery): CurrentNumber {
  if (bound.column !== undefined && !query.columns.some(({ name }) => name === bound.column))
    return { missing: `the result has no column ${bound.column} any more` }
  if (bound.row === undefined) {
    const value = valueAt(bound, query, undefined)
    return value === undefined ? { missing: 'not all rows are kept' } : { value }
  }
  const row = rowOf(bound, query)
  if (typeof row === 'string') return { missing: row }
  const value = valueAt(bound, query, row)
  if (value === undefined) return { missing: 'the cell is empty now' }
  const end = endOf(bound.column, value, query)
  return { value, row, ...(end !== undefined && { end }) }
}

function valueAt({ column, by }: Bindable, query: CitedQuery, row: number | undefined): number | undefined {
  if (column === undefined) return query.cut ? undefined : query.rowCount
  if (row === undefined) {
    const figures = figuresOf(query, Number.POSITIVE_INFINITY).find(({ name }) => name === column)
    return figures?.aggregates.find(([aggregate]) => aggregate === by)?.[1]
  }
  const at = query.columns.findIndex(({ name }) => name === column)
  return numberOf(query.rows[row - 1]?.[at] ?? null) ?? undefined
}

/**
 * The cells that name a row: its texts; without any, the cell of the first column, by which rows are usually grouped, or a
 * number that is called a key. The numbers of a single row do not name it: they change with the data. Undefined if only
 * its place does.
 */
function namesOf({ columns, rows }: CitedQuery, row: number, cited: string): BoundNumber['names'] {
  const cells = columns.flatMap(({ name }, at) => {
    const cell = rows[row - 1]?.[at] ?? null
    return name === cited || cell === null ? [] : [{ name, text: String(cell), number: numberOf(cell) }]
  })
  const texts = cells.filter(({ number }) => typeof number !== 'number')
  const named = ({ name, text }: { readonly name: string; readonly text: string }) => [name, text] as const
  if (rows.length === 1 || texts.length > 0) return texts.map(named)
  const key = cells.find(({ name }) => name === columns[0]?.name) ?? cells.find(({ name }) => KEY.test(name))
  return key && [named(key)]
}

const KEY = /(?:^|_)(?:id|key|code|year|quarter|month|week|day|hour)$/i

/** Finds the row that a number was bound to, which may have moved; a text is the reason why it is missing. */
function rowOf(bound: BoundNumber, query: CitedQuery): number | string {
  const { row, names, value } = bound
  const { columns, rows } = query
  if (names === undefined) return rows.length < row! ? `the result has ${plural(rows.length, 'row')} now` : row!
  if (names.length === 0) return rows.length === 1 ? 1 : `the result has ${plural(rows.length, 'row')} now`
  const isRow = (number: number): boolean =>
    names.every(([name, text]) => {
      const at = columns.findIndex((column) => column.name === name)
      return String(rows[number - 1]?.[at] ?? null) === text
    })
  const found = rows.map((_, at) => at + 1).filter(isRow)
  const said = names.map(([, text]) => text).join(', ')
  if (found.length === 0) return `no row has ${said} now`
  if (found.length === 1) return found[0]!
  return found.includes(row!) && valueAt(bound, query, row) === value ? row! : `several rows have ${said}`
}

function endOf(column: string | undefined, value: number, { columns, rows }: CitedQuery): BoundNumber['end'] {
  const at = columns.findIndex(({ name }) => name === column)
  const values = rows.map((row) => numberOf(row[at] ?? null)).filter((one) => typeof one === 'number')
  if (values.length < 2) return undefined
  if (values.every((one) => one <= value)) return 'most'
  return values.every((one) => one >= value) ? 'least' : undefined
}
