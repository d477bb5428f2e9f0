import type { KnownCell } from './compare-cells.ts'
import type { ColumnPair } from './compare-columns.ts'

/** Row of the answer that matches each expected row; -1 if none does. */
export interface RowMatch {
  readonly foundFor: Int32Array
  readonly expectedFor: Int32Array
  readonly matched: number
}

// Maximum number of row comparisons. Takes one to two seconds if the rows are so similar that nearly every row may
// match every other row.
const MOST_TESTS = 3_000_000

/**
 * Maximum matching of equal rows. With a tolerance, equality is not transitive, so taking the first match or sorting
 * both sides may leave rows unmatched that have a partner: pairs are reassigned if that allows one more match.
 */
export function matchRows(pairs: readonly ColumnPair[], rows: number, foundRows: number): RowMatch {
  const foundFor = new Int32Array(rows).fill(-1)
  const expectedFor = new Int32Array(foundRows).fill(-1)
  let matched = matchByKey(pairs, foundFor, expectedFor)
  const inexact = pairs.filter(({ isExact }) => !isExact)
  if (inexact.length > 0 && matched < Math.min(rows, foundRows)) {
    const sideBySide = rows === foundRows ? matchSorted(pairs, inexact, rows) : undefined
    if (sideBySide !== undefined) return sideBySide
    const search = new CandidateSearch(pairs, inexact, foundRows)
    for (let row = 0; row < rows; row++)
      if (foundFor[row] === -1 && augment(row, search, foundFor, expectedFor)) matched++
  }
  return { foundFor, expectedFor, matched }
}

export function matchInOrder(pairs: readonly ColumnPair[], rows: number, foundRows: number): RowMatch {
  const foundFor = new Int32Array(rows).fill(-1)
  const expectedFor = new Int32Array(foundRows).fill(-1)
  let matched = 0
  for (let row = 0; row < Math.min(rows, foundRows); row++) {
    if (!pairs.every(({ same }) => same(row, row))) continue
    foundFor[row] = row
    expectedFor[row] = row
    matched++
  }
  return { foundFor, expectedFor, matched }
}

const APART = '\u0000'

function matchByKey(pairs: readonly ColumnPair[], foundFor: Int32Array, expectedFor: Int32Array): number {
  const waiting = new Map<string, number[]>()
  for (let j = expectedFor.length - 1; j >= 0; j--) {
    const key = pairs.map(({ right }) => right[j]!.key).join(APART)
    const same = waiting.get(key)
    if (same === undefined) waiting.set(key, [j])
    else same.push(j)
  }
  let matched = 0
  for (let i = 0; i < foundFor.length; i++) {
    const j = waiting.get(pairs.map(({ left }) => left[i]!.key).join(APART))?.pop()
    if (j === undefined) continue
    foundFor[i] = j
    expectedFor[j] = i
    matched++
  }
  return matched
}

/** Matches sorted rows pairwise, which works if they differ only by noise or a shift; undefined if not all match. */
function matchSorted(pairs: readonly ColumnPair[], inexact: readonly ColumnPair[], rows: number): RowMatch | undefined {
  const sorted = (cellOf: (pair: ColumnPair, row: number) => KnownCell): readonly number[] => {
    const keys = Array.from({ length: rows }, (_, row) => groupKey(pairs, (pair) => cellOf(pair, row)))
    return [...keys.keys()].sort((a, b) => {
      if (keys[a] !== keys[b]) return keys[a]! < keys[b]! ? -1 : 1
      for (const pair of inexact) {
        const apart = (cellOf(pair, a).number?.value ?? 0) - (cellOf(pair, b).number?.value ?? 0)
        if (apart !== 0 && !Number.isNaN(apart)) return apart
      }
      return a - b
    })
  }
  const left = sorted(({ left: cells }, row) => cells[row]!)
  const right = sorted(({ right: cells }, row) => cells[row]!)
  if (!left.every((row, i) => pairs.every(({ same }) => same(row, right[i]!)))) return undefined
  const [foundFor, expectedFor] = [new Int32Array(rows), new Int32Array(rows)]
  left.forEach((row, i) => {
    foundFor[row] = right[i]!
    expectedFor[right[i]!] = row
  })
  return { foundFor, expectedFor, matched: rows }
}

/** Key of the cells that must be identical in equal rows. */
const groupKey = (pairs: readonly ColumnPair[], cellOf: (pair: ColumnPair) => KnownCell): string =>
  pairs
    .map((pair) => {
      const { key, number } = cellOf(pair)
      return number === undefined || pair.isExact ? key : '#'
    })
    .join(APART)

/** Finds the rows of the answer that may match an expected row, by the exact cells and by one number. */
class CandidateSearch {
  readonly #inexact: readonly ColumnPair[]
  readonly #pairs: readonly ColumnPair[]
  readonly #groups = new Map<string, Group>()
  #tests = MOST_TESTS

  constructor(pairs: readonly ColumnPair[], inexact: readonly ColumnPair[], foundRows: number) {
    this.#pairs = pairs
    this.#inexact = inexact
    const members = new Map<string, number[]>()
    for (let j = 0; j < foundRows; j++) {
      const key = groupKey(pairs, (pair) => pair.right[j]!)
      const group = members.get(key)
      if (group === undefined) members.set(key, [j])
      else group.push(j)
    }
    for (const [key, rows] of members) this.#groups.set(key, groupOf(rows, inexact))
  }

  *candidates(row: number): Generator<number> {
    const group = this.#groups.get(groupKey(this.#pairs, (pair) => pair.left[row]!))
    if (group === undefined) return
    const value = group.axis?.left[row]?.number?.value
    const reach = value === undefined || !Number.isFinite(value) ? Infinity : group.axis!.reach(value)
    const end = value === undefined ? Infinity : value + reach
    for (let at = firstFrom(group, value === undefined ? -Infinity : value - reach); at < group.rows.length; at++) {
      if (group.values[at]! > end || --this.#tests < 0) return
      const foundRow = group.rows[at]!
      if (this.#inexact.every(({ same }) => same(row, foundRow))) yield foundRow
    }
  }
}

/** Rows sorted by one numeric column, the one that distinguishes the most rows. */
interface Group {
  readonly rows: readonly number[]
  readonly axis: ColumnPair | undefined
  readonly values: readonly number[]
}

function groupOf(rows: readonly number[], inexact: readonly ColumnPair[]): Group {
  const axes = inexact
    .filter(({ right }) => rows.every((j) => Number.isFinite(right[j]!.number?.value)))
    .map((pair) => ({ pair, distinct: new Set(rows.map((j) => pair.right[j]!.number!.value)).size }))
  const axis = axes.toSorted((a, b) => b.distinct - a.distinct)[0]?.pair
  if (axis === undefined) return { rows, axis, values: rows.map(() => 0) }
  const valueOf = (j: number): number => axis.right[j]!.number!.value
  const sorted = rows.toSorted((a, b) => valueOf(a) - valueOf(b))
  return { rows: sorted, axis, values: sorted.map(valueOf) }
}

function firstFrom({ values }: Group, least: number): number {
  let [from, to] = [0, values.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (values[middle]! < least) from = middle + 1
    else to = middle
  }
  return from
}

/** Finds a partner for a row, if necessary by reassigning other rows. */
function augment(row: number, search: CandidateSearch, foundFor: Int32Array, expectedFor: Int32Array): boolean {
  const cameFrom = new Map<number, number>()
  const queue = [row]
  for (const at of queue) {
    for (const candidate of search.candidates(at)) {
      if (cameFrom.has(candidate)) continue
      cameFrom.set(candidate, at)
      const owner = expectedFor[candidate]!
      if (owner === -1) {
        takeOver(candidate)
        return true
      }
      queue.push(owner)
    }
  }
  return false

  function takeOver(last: number): void {
    for (let candidate = last; ;) {
      const owner = cameFrom.get(candidate)!
      const before = foundFor[owner]!
      foundFor[owner] = candidate
      expectedFor[candidate] = owner
      if (owner === row) return
      candidate = before
    }
  }
}
