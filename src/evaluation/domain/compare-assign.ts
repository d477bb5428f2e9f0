import { foldName, mayHoldTheSame, pairColumns, type Column, type ColumnPair } from './compare-columns.ts'
import type { Comparison, Tolerance } from './comparison.ts'

/** For each expected column the matching column of the answer. */
export type Assignment = readonly (ColumnPair | undefined)[]

interface Sides {
  readonly expected: readonly Column[]
  readonly found: readonly Column[]
  readonly comparison: Comparison
}

/** Whether columns are matched by name only. */
function isByName({ expected, found, comparison }: Sides): boolean {
  if (comparison.match !== 'auto') return comparison.match === 'name'
  const count = (columns: readonly Column[], name: string): number =>
    columns.filter(({ folded }) => folded === name).length
  return expected.every(({ folded }) => count(found, folded) >= count(expected, folded))
}

/** Columns of the answer that may match each expected one, likeliest first. */
export function candidatesOf(sides: Sides): readonly (readonly ColumnPair[])[] {
  const byName = isByName(sides)
  const names = new Set(sides.expected.map(({ folded }) => folded))
  return sides.expected.map((expected) => {
    const tolerance = toleranceFor(expected, sides.comparison)
    const called = sides.found.some(({ name }) => name === expected.name)
    const allowed = sides.found
      .filter((column) => isInPlace(expected, column, sides.comparison))
      .filter(({ name, folded }) =>
        folded === expected.folded
          ? !byName || !called || name === expected.name
          : // In an answer, a column that is called like another expected one says that it is that one.
            !byName && (sides.comparison.match === 'content' || !names.has(folded)),
      )
      .map((found) => pairColumns(expected, found, tolerance))
    const likely = allowed.filter((pair) => (sides.comparison.ordered ? isSameInOrder(pair) : mayHoldTheSame(pair)))
    return likely.toSorted((a, b) => nearness(b) - nearness(a))
  })
}

const isInPlace = (expected: Column, found: Column, { match }: Comparison): boolean =>
  match !== 'position' || found.at === expected.at

const isSameInOrder = ({ left, right, same }: ColumnPair): boolean =>
  left.length === right.length && left.every((_, row) => same(row, row))

const nearness = ({ expected, found }: ColumnPair): number =>
  found.name === expected.name ? 2 : found.folded === expected.folded ? 1 : 0

// Key columns, which are compared exactly even if a tolerance applies to all columns: 2024 is not 2023.
const KEY = /(?:^|[_\s])(?:id|key|code|no|nr|year|quarter|month|week|day|hour)$|[a-z](?:Id|Key|Code|Year|Month)$|^yr$/

function toleranceFor(column: Column, comparison: Comparison): Tolerance {
  const own =
    comparison.columns[column.name] ??
    Object.entries(comparison.columns).find(([name]) => foldName(name) === column.folded)?.[1]
  if (own !== undefined) return own
  const isKey =
    (KEY.test(column.name) || KEY.test(column.name.toLowerCase())) &&
    column.cells.every(({ number }) => number === undefined || Number.isInteger(number.value))
  const { relative, absolute, decimals } = comparison
  return isKey
    ? {}
    : {
        ...(relative !== undefined && { relative }),
        ...(absolute !== undefined && { absolute }),
        ...(decimals !== undefined && { decimals }),
      }
}

// Maximum number of rows compared while columns are tried: one to two seconds if many columns have the same values.
const MOST_LOOKS = 20_000_000
const MOST_TRIES = 200

/**
 * Tries column assignments until the rows agree. Rows are grouped by the assigned columns; as soon as a group differs
 * in size between the two sides, the next column is tried.
 */
export function findAssignment(
  candidates: readonly (readonly ColumnPair[])[],
  agrees: (pairs: readonly ColumnPair[]) => boolean,
): readonly ColumnPair[] | undefined {
  if (candidates.some((list) => list.length === 0)) return undefined
  const order = candidates.map((_, at) => at).toSorted((a, b) => candidates[a]!.length - candidates[b]!.length)
  const chosen: ColumnPair[] = []
  const taken = new Set<number>()
  let looks = MOST_LOOKS
  let tries = MOST_TRIES
  const first = candidates[0]?.[0]
  const [rows, foundRows] = [first?.left.length ?? 0, first?.right.length ?? 0]

  const settle = (depth: number, sorts: Sorts): boolean => {
    if (depth === order.length) return tries-- > 0 && agrees(inTheirOrder())
    const tried: ColumnPair[] = []
    for (const pair of candidates[order[depth]!]!) {
      if (taken.has(pair.found.at) || looks < 0 || tries < 0) continue
      // A column identical to one that failed will fail too.
      if (tried.some((other) => isTwin(other, pair))) continue
      tried.push(pair)
      looks -= rows + foundRows
      const finer = divide(sorts, pair)
      if (finer === undefined) continue
      chosen[order[depth]!] = pair
      taken.add(pair.found.at)
      if (settle(depth + 1, finer)) return true
      taken.delete(pair.found.at)
    }
    return false
  }
  const inTheirOrder = (): readonly ColumnPair[] => [...chosen]
  const start: Sorts = { left: new Int32Array(rows), right: new Int32Array(foundRows), count: 1 }
  return settle(0, start) ? inTheirOrder() : undefined
}

const isTwin = (a: ColumnPair, b: ColumnPair): boolean =>
  a.right.length === b.right.length && a.right.every(({ key }, row) => key === b.right[row]!.key)

/** Rows grouped by equality in the assigned columns. */
interface Sorts {
  readonly left: Int32Array
  readonly right: Int32Array
  readonly count: number
}

/** Splits the groups by one more column; undefined if one side has more rows in a group than the other. */
function divide(sorts: Sorts, pair: ColumnPair): Sorts | undefined {
  const ids = new Map<string, number>()
  const counts: number[] = []
  const sortOf = (sort: number, key: string, change: number): number => {
    const name = `${sort} ${key}`
    const id = ids.get(name) ?? ids.size
    ids.set(name, id)
    counts[id] = (counts[id] ?? 0) + change
    return id
  }
  const keyOf = ({ key, number }: { readonly key: string; readonly number?: unknown }): string =>
    number === undefined || pair.isExact ? key : '#'
  const left = sorts.left.map((sort, row) => sortOf(sort, keyOf(pair.left[row]!), 1))
  const right = sorts.right.map((sort, row) => sortOf(sort, keyOf(pair.right[row]!), -1))
  return counts.every((count) => count === 0) ? { left, right, count: ids.size } : undefined
}

/** If nothing fits: the most similar columns, so that a difference can be shown cell by cell. */
export function nearestAssignment(sides: Sides): Assignment {
  const byName = isByName(sides)
  const scored = sides.expected.flatMap((expected, at) =>
    sides.found
      .filter((column) => isInPlace(expected, column, sides.comparison))
      .filter(({ folded }) => !byName || folded === expected.folded)
      .map((found) => {
        const pair = pairColumns(expected, found, toleranceFor(expected, sides.comparison))
        return { at, pair, score: pair.overlap() + nearness(pair) / 2 + (isAlike(pair) ? 0.01 : 0) }
      }),
  )
  const chosen: (ColumnPair | undefined)[] = sides.expected.map(() => undefined)
  const taken = new Set<number>()
  for (const { at, pair } of scored.toSorted(
    (a, b) => b.score - a.score || Math.abs(a.at - a.pair.found.at) - Math.abs(b.at - b.pair.found.at),
  )) {
    if (chosen[at] !== undefined || taken.has(pair.found.at)) continue
    chosen[at] = pair
    taken.add(pair.found.at)
  }
  return chosen
}

const isAlike = ({ left, right }: ColumnPair): boolean =>
  left.some(({ number }) => number !== undefined) === right.some(({ number }) => number !== undefined)
