import type { Citation } from '../chat/part.ts'
import {
  figuresOf,
  isWithin,
  rangesOf,
  type CitedQuery,
  type ColumnFigures,
  type FoundFigure,
  type Manner,
  type Range,
} from './figures-of.ts'
import { numbersIn, type ShownNumber } from './number-in-text.ts'
import { proseOf } from './prose.ts'
import { readCitations, type CitedPlace } from './read-citations.ts'

/** Number of rows searched for a number without a citation: the part of a result that a model sees. */
const ROWS_SHOWN = 1_000

/**
 * Finds the source of each number of an answer: checked against the cell that it cites, found in a result, or not
 * found. Years, dates, ordinals and numbers from the question are not figures.
 */
export function checkCitations(text: string, queries: readonly CitedQuery[], asked = ''): readonly Citation[] {
  const places = readCitations(text)
  const known = new Map(queries.map((query) => [query.id, openFigures(query)]))
  // Some models count rows from 0; a citation of row 0 identifies them.
  const fromZero = new Set(places.filter(({ row }) => row === 0).map(({ query }) => query))
  const cited = places.flatMap((place) => {
    const row = place.row === undefined || !fromZero.has(place.query) ? place.row : place.row + 1
    return citedNumber({ ...place, row }, known, text)
  })
  const prose = withoutPlaces(proseOf(text, queries), places)
  const given = new Set(numbersIn(asked).flatMap(valuesOf))
  const figures = queries
    .map((query) => ({ query, columns: figuresOf(query, ROWS_SHOWN) }))
    .map((one) => ({ ...one, ordered: orderedValues(one.columns) }))
    .toReversed()
  const loose = numbersIn(prose).flatMap((number): Citation[] => {
    if (valuesOf(number).some((value) => given.has(value))) return []
    const ranges = rangesOf(number, { ...mannerOf(prose, number.at), isLoose: true })
    if (queries.some(({ rowCount, cut }) => !cut && isWithin(ranges, rowCount) && !number.isPercent)) return []
    for (const { query, columns, ordered } of figures) {
      if (!ranges.some((range) => isAnyWithin(ordered, range))) continue
      const found = findFigure(columns, ranges)
      if (found !== undefined) return [{ ...shown(number), state: 'checked', query: query.id, ...found }]
    }
    return [{ ...shown(number), state: 'unsourced' }]
  })
  // A label's further numbers, and the numbers of a table, are reported only if no result contains them.
  const isNews = ({ state, at }: Citation): boolean =>
    state === 'unsourced' || !(isInTable(text, at) || places.some(({ from, to }) => at >= from && at < to))
  return [...cited, ...loose.filter(isNews)].toSorted((a, b) => a.at - b.at)
}

const isInTable = (text: string, at: number): boolean =>
  text
    .slice(text.lastIndexOf('\n', at) + 1, at)
    .trimStart()
    .startsWith('|')

const shown = ({ text, at }: ShownNumber): Pick<Citation, 'text' | 'at'> => ({ text, at })

const valuesOf = ({ readings, isPercent }: ShownNumber): readonly string[] =>
  readings.map(({ value }) => `${value}${isPercent ? '%' : ''}`)

/** All cells and aggregates of a result, sorted: an unknown number is detected without a scan. */
const orderedValues = (columns: readonly ColumnFigures[]): Float64Array =>
  Float64Array.from(
    columns.flatMap(({ values, aggregates }) => [
      ...values.filter((value) => value !== null),
      ...aggregates.map(([, value]) => value),
    ]),
  ).sort()

function isAnyWithin(ordered: Float64Array, [low, high]: Range): boolean {
  let [from, to] = [0, ordered.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (ordered[middle]! < low) from = middle + 1
    else to = middle
  }
  return from < ordered.length && ordered[from]! <= high
}

interface Figures {
  readonly query: CitedQuery
  /** Columns of all rows, read once no matter how often the result is cited. */
  columns(): readonly ColumnFigures[]
}

function openFigures(query: CitedQuery): Figures {
  let columns: readonly ColumnFigures[] | undefined
  return { query, columns: () => (columns ??= figuresOf(query, Number.POSITIVE_INFINITY)) }
}

/** The prose without citations, except the text of a label after its cell's number. */
function withoutPlaces(prose: string, places: readonly CitedPlace[]): string {
  let at = 0
  const parts = places.map(({ from, to, label, labelAt }) => {
    const [number] = numbersIn(label)
    const end = labelAt + label.length
    const rest = number === undefined ? end : labelAt + number.at + number.text.length
    const part = prose.slice(at, from) + ' '.repeat(rest - from) + prose.slice(rest, end) + ' '.repeat(to - end)
    at = to
    return part
  })
  return parts.join('') + prose.slice(at)
}

/** Checks one citation; empty if its label has no number and is not the name of a row. */
function citedNumber(place: CitedPlace, known: ReadonlyMap<string, Figures>, text: string): Citation[] {
  const [number] = numbersIn(place.label)
  if (number === undefined) return citedName(place, known)
  const said = { text: number.text, at: place.labelAt + number.at, query: place.query }
  const figures = known.get(place.query)
  if (figures === undefined) return [{ ...said, state: 'unsourced', found: 'there is no such query' }]
  const { query } = figures
  const columns = figures.columns()
  const named = place.column === undefined ? columns : columns.filter(({ name }) => isName(name, place.column!))
  if (named.length === 0)
    return [{ ...said, state: 'unsourced', column: place.column!, found: 'the result has no such column' }]
  const ranges = rangesOf(number, mannerOf(text, said.at))
  const one = place.column === undefined ? undefined : { column: named[0]!.name }
  if (place.row !== undefined && one !== undefined)
    return [atRow(said, { row: place.row, column: named[0]!, query, ranges })]
  const found = findFigure(named, ranges)
  if (found !== undefined) return [{ ...said, state: 'checked', ...found }]
  if (place.column === undefined && isWithin(ranges, query.rowCount) && !query.cut)
    return [{ ...said, state: 'checked', by: 'count' }]
  return [{ ...said, state: 'differs', ...one, found: extent(named) }]
}

// Every word begins with a capital letter or a digit: "the best month" describes a cell, "New York" is one.
const NAME = /^(?:[\p{Lu}\p{N}]\S*(?:\s+|$))+$/u

/** Checks a text that names its cell: the name of another row, or a name that the column does not contain, is wrong. */
function citedName(
  { label, labelAt, query: id, column, row }: CitedPlace,
  known: ReadonlyMap<string, Figures>,
): Citation[] {
  const query = known.get(id)?.query
  const at = column === undefined ? -1 : (query?.columns.findIndex(({ name }) => isName(name, column)) ?? -1)
  const wanted = folded(label)
  if (query === undefined || at < 0 || wanted === '') return []
  const cells = query.rows.map((one) => folded(String(one[at] ?? '')))
  const place = { text: label, at: labelAt, query: id, column: query.columns[at]!.name }
  if (row === undefined) {
    const isTold =
      isName(place.column, label) || cells.some((one) => one !== '' && (one.includes(wanted) || wanted.includes(one)))
    const isOfNames =
      !query.cut && query.rows.some((one) => typeof one[at] === 'string' && Number.isNaN(Number(one[at])))
    return isTold || !isOfNames || !NAME.test(label) ? [] : [{ ...place, state: 'differs', found: 'no row has it' }]
  }
  const said = { ...place, row }
  if (cells[row - 1]?.includes(wanted)) return [{ ...said, state: 'checked' }]
  if (!cells.includes(wanted) && !NAME.test(label)) return []
  return [{ ...said, state: 'differs', found: foundIn(query, query.rows[row - 1]?.[at]) }]
}

function foundIn({ rows }: CitedQuery, cell: CitedQuery['rows'][number][number] | undefined): string {
  const found = cell === undefined ? `the result has ${rows.length} rows` : cell === null ? 'NULL' : String(cell)
  return found.slice(0, LONGEST_FOUND)
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
const isName = (name: string, given: string): boolean => name === given || folded(name) === folded(given)

interface AtRow {
  readonly row: number
  readonly column: ColumnFigures
  readonly query: CitedQuery
  readonly ranges: readonly Range[]
}

function atRow(said: Pick<Citation, 'text' | 'at' | 'query'>, { row, column, query, ranges }: AtRow): Citation {
  const value = column.values[row - 1]
  if (value !== null && value !== undefined && isWithin(ranges, value))
    return { ...said, state: 'checked', column: column.name, row }
  const at = query.columns.findIndex(({ name }) => name === column.name)
  const found = foundIn(query, query.rows[row - 1]?.[at])
  return { ...said, state: 'differs', column: column.name, row, found }
}

const LONGEST_FOUND = 100

/** Finds a number in a result. Prefers a cell to a sum: a stored value is stronger evidence than a derived one. */
function findFigure(columns: readonly ColumnFigures[], ranges: readonly Range[]): FoundFigure | undefined {
  for (const { name, values } of columns) {
    const index = values.findIndex((value) => value !== null && isWithin(ranges, value))
    if (index >= 0) return { column: name, row: index + 1 }
  }
  for (const { name, aggregates } of columns) {
    const found = aggregates.find(([, value]) => isWithin(ranges, value))
    if (found !== undefined) return { column: name, by: found[0] }
  }
  return undefined
}

function extent(columns: readonly ColumnFigures[]): string {
  const values = columns.flatMap((column) => column.values).filter((value) => value !== null)
  const [first] = values
  if (first === undefined) return 'no number'
  if (values.length === 1) return String(first)
  const [least, most] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [first, first])
  return `${values.length} values from ${least} to ${most}`
}

export const FALL =
  /\b(?:down|fell|fall|falls|fallen|drop|drops|dropped|decreas\w*|declin\w*|loss|losses|lost|los[et]|minus|negative|lower|less|shr[aiu]nk\w*|below|deficit|refund\w*|reduc\w*|contract\w*)\b/i
const ROUNDINGS = {
  about: /(?:~|≈|\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.|some|close to))\s*$/i,
  over: /\b(?:over|more than|at least|above|upwards of)\s*$/i,
  under: /\b(?:nearly|almost|under|less than|just under|up to|at most|below|fewer than)\s*$/i,
} as const
const BEFORE = 48

/** Determines the manner by the words before a number, in the same sentence. */
export function mannerOf(text: string, at: number): Manner {
  const before = text.slice(Math.max(0, at - BEFORE), at)
  const sentence = before.slice(before.search(/[^.!?\n]*$/))
  const words = before.replace(/[[(*_$€£]+$/, '')
  const rounding = (['about', 'over', 'under'] as const).find((one) => ROUNDINGS[one].test(words))
  return { isFall: FALL.test(sentence), ...(rounding !== undefined && { rounding }) }
}
