import { plural } from '../../kernel/domain/text.ts'
import { candidatesOf, findAssignment, nearestAssignment, type Assignment } from './compare-assign.ts'
import { columnsOf, foldName, type Column, type ColumnPair } from './compare-columns.ts'
import { showDifference } from './compare-difference.ts'
import { matchInOrder, matchRows } from './compare-rows.ts'
import type { Comparison, Table, TableDifference } from './comparison.ts'

/**
 * Why an answer is not the expected table; undefined if it is. Rows are a multiset: in any order unless `ordered`.
 * Columns are matched by name or by content.
 */
export function compareTables(expected: Table, found: Table, comparison: Comparison): TableDifference | undefined {
  const sides = { expected: columnsOf(expected), found: columnsOf(found), comparison }
  const wrong = wrongShape(sides.expected, sides.found, comparison)
  if (wrong !== undefined) return without(expected, wrong)
  const [rows, foundRows] = [expected.rows.length, found.rows.length]
  const match = comparison.ordered ? matchInOrder : matchRows
  if (rows === foundRows) {
    // Both are empty: if neither names nor positions matter, they are equal.
    if (rows === 0 && (comparison.match === 'auto' || comparison.match === 'content')) return undefined
    const isSame = (pairs: readonly ColumnPair[]): boolean => match(pairs, rows, foundRows).matched === rows
    if (findAssignment(candidatesOf(sides), isSame) !== undefined) return undefined
  }
  const nearest = nearestAssignment(sides)
  const pairs = nearest.filter((pair) => pair !== undefined)
  const columns = namesOf(sides.expected, nearest)
  const missing = columns.filter((column) => column.found === null).map((column) => column.expected)
  const rowsMatch = match(pairs, rows, foundRows)
  const isOnlyOrder =
    comparison.ordered &&
    missing.length === 0 &&
    rows === foundRows &&
    matchRows(pairs, rows, foundRows).matched === rows
  const shown = { expected, found, pairs, match: rowsMatch, ordered: comparison.ordered, missing, isOnlyOrder }
  return {
    columns,
    ...showDifference(shown),
    ...(isMoved(expected, found, comparison) && { reason: movedReason(found) }),
  }
}

/** Whether only the positions or the names of the columns differ. */
const isMoved = (expected: Table, found: Table, comparison: Comparison): boolean =>
  comparison.match === 'position' &&
  expected.columns.length === found.columns.length &&
  compareTables(expected, found, { ...comparison, match: 'content' }) === undefined

const movedReason = ({ columns }: Table): string =>
  `the columns are in another order: ${listed(columns.map(({ name }) => name))}`

function wrongShape(expected: readonly Column[], found: readonly Column[], comparison: Comparison): string | undefined {
  const names = new Set(expected.flatMap(({ name, folded }) => [name, folded]))
  const unknown = Object.keys(comparison.columns).filter((name) => !names.has(name) && !names.has(foldName(name)))
  if (unknown.length > 0) return `a tolerance is given for ${listed(unknown)}, which is no expected column`
  if (!comparison.extra_columns && found.length > expected.length)
    return `${plural(expected.length, 'column')} expected, ${found.length} found: ${listed(found.map(({ name }) => name))}`
  return undefined
}

const without = (expected: Table, reason: string): TableDifference => ({
  reason,
  columns: expected.columns.map(({ name }) => ({ expected: name, found: null })),
  cells: [],
  total: 0,
  missingRows: [],
  missing: 0,
  extraRows: [],
  extra: 0,
})

const namesOf = (expected: readonly Column[], chosen: Assignment): TableDifference['columns'] =>
  expected.map(({ name }, at) => ({ expected: name, found: chosen[at]?.found.name ?? null }))

const listed = (names: readonly string[]): string =>
  names.length <= 10 ? names.join(', ') : `${names.slice(0, 10).join(', ')} and ${names.length - 10} more`
