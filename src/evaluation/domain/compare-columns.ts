import { knownCell, readCell, type KnownCell, type ReadCell, type ReadingMode } from './compare-cells.ts'
import { isFirstOfMonth } from './compare-moments.ts'
import { isSameNumber, reachOf, type Magnitude, type ReadNumber } from './compare-numbers.ts'
import type { Table, Tolerance } from './comparison.ts'

/** Column on one side, every cell read once. */
export interface Column {
  readonly name: string
  readonly folded: string
  readonly at: number
  readonly cells: readonly ReadCell[]
  readonly traits: Traits
  /** By reading mode: most pairs read a column in the same way. */
  readonly known: Map<string, KnownColumn>
}

interface Traits {
  readonly hasNumber: boolean
  readonly hasBoolean: boolean
  readonly hasPercent: boolean
  readonly hasFormatted: boolean
  readonly allNumbers: boolean
  readonly allMonths: boolean
  readonly allFirsts: boolean
  readonly isEmpty: boolean
  /** Largest number without a percent sign. */
  readonly largest: number
}

interface KnownColumn {
  readonly cells: readonly KnownCell[]
  readonly isWhole: boolean
  readonly largest: number
  /** Rows ordered by cell: numbers by value, everything else by its key. */
  inOrder(): readonly number[]
  /** Count of each distinct cell; numbers are rounded to remove noise. */
  tally(): ReadonlyMap<string, number>
}

/** Expected column and a column of the answer, read so that their cells can be compared. */
export interface ColumnPair {
  readonly expected: Column
  readonly found: Column
  readonly left: readonly KnownCell[]
  readonly right: readonly KnownCell[]
  /** Cells are equal if and only if their keys are. */
  readonly isExact: boolean
  readonly same: (row: number, foundRow: number) => boolean
  /** Tolerance around an expected number. */
  readonly reach: (value: number) => number
  readonly leftInOrder: () => readonly number[]
  readonly rightInOrder: () => readonly number[]
  /** Share of the expected cells that occur in the other column. */
  readonly overlap: () => number
}

export function columnsOf({ columns, rows }: Table): readonly Column[] {
  return columns.map(({ name, type }, at) => {
    const cells = rows.map((row) => readCell(row[at]))
    return { name, folded: foldName(name), at, cells, traits: traitsOf(cells, type ?? ''), known: new Map() }
  })
}

/** Ignores case, underscores, spaces and symbols in names, unless a name consists only of these. */
export function foldName(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase()
  return plain.replaceAll(/[^\p{L}\p{N}]/gu, '') || plain
}

const NUMERIC =
  /^(?:nullable\()?(?:u?(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|byteint|(?:big)?decimal\d*|(?:big)?numeric|number|dec|(?:small)?money|(?:big|small)?serial|b?float\d*|double|real)\b/i
const BOOLEAN = /^(?:nullable\()?bool/i

function traitsOf(cells: readonly ReadCell[], type: string): Traits {
  const there = cells.filter(({ kind }) => kind !== 'null')
  const every = (test: (cell: ReadCell) => boolean): boolean => there.length > 0 && there.every(test)
  return {
    hasNumber: NUMERIC.test(type) || there.some(({ kind }) => kind === 'number'),
    hasBoolean: BOOLEAN.test(type) || there.some(({ kind }) => kind === 'boolean'),
    hasPercent: there.some(({ number }) => number?.isPercent === true),
    hasFormatted: there.some(({ number }) => number?.isFormatted === true),
    allNumbers: every(({ number }) => number !== undefined),
    allMonths: every(({ month }) => month !== undefined),
    allFirsts: every(({ moment }) => moment !== undefined && isFirstOfMonth(moment)),
    isEmpty: there.length === 0,
    largest: largestOf(there.map(({ number }) => (number?.isPercent ? undefined : number))),
  }
}

const largestOf = (numbers: readonly (ReadNumber | undefined)[]): number =>
  numbers.reduce(
    (most, number) =>
      number === undefined || !Number.isFinite(number.value) ? most : Math.max(most, Math.abs(number.value)),
    0,
  )

export function pairColumns(expected: Column, found: Column, tolerance: Tolerance): ColumnPair {
  const mode = modeFor(expected, found)
  const [left, right] = [known(expected, mode), known(found, mode)]
  const size: Magnitude = { expected: left.largest, found: right.largest }
  const isTolerant =
    tolerance.absolute !== undefined || tolerance.relative !== undefined || tolerance.decimals !== undefined
  const isExact = left.isWhole && right.isWhole && !isTolerant
  return {
    expected,
    found,
    left: left.cells,
    right: right.cells,
    isExact,
    same: (row, foundRow) => {
      const [a, b] = [left.cells[row]!, right.cells[foundRow]!]
      if (a.key === b.key) return true
      if (isExact || a.number === undefined || b.number === undefined) return false
      return isSameNumber(a.number, b.number, tolerance, size)
    },
    reach: (value) => reachOf(value, tolerance, size),
    leftInOrder: left.inOrder,
    rightInOrder: right.inOrder,
    overlap: () => shared(left.tally(), right.tally()) / Math.max(1, left.cells.length),
  }
}

// No value in a column of shares exceeds 200 %.
const LARGEST_SHARE = 2

function modeFor(expected: Column, found: Column): ReadingMode {
  const [a, b] = [expected.traits, found.traits]
  const isAmount = a.allNumbers && b.allNumbers && (a.hasFormatted || b.hasFormatted)
  const saysPercent = /percent|pct|%|perc\b/i.test(expected.name) || Math.max(a.largest, b.largest) > LARGEST_SHARE
  return {
    numeric: a.hasNumber || b.hasNumber || isAmount,
    boolean: a.hasBoolean || b.hasBoolean,
    monthly: (a.allMonths && b.allFirsts) || (b.allMonths && a.allFirsts),
    inPercent: (a.hasPercent || b.hasPercent) && saysPercent,
  }
}

function known(column: Column, mode: ReadingMode): KnownColumn {
  const name = `${mode.numeric} ${mode.boolean} ${mode.monthly} ${mode.inPercent}`
  const before = column.known.get(name)
  if (before !== undefined) return before
  const cells = column.cells.map((cell) => knownCell(cell, mode))
  let sorted: readonly number[] | undefined
  let tally: ReadonlyMap<string, number> | undefined
  const read: KnownColumn = {
    cells,
    isWhole: cells.every(({ number }) => number === undefined || isWhole(number)),
    largest: largestOf(cells.map(({ number }) => number)),
    inOrder: () => (sorted ??= inOrder(cells)),
    tally: () => (tally ??= tallyOf(cells)),
  }
  column.known.set(name, read)
  return read
}

const isWhole = ({ value, digits, currency }: ReadNumber): boolean =>
  currency === undefined && (digits === undefined ? Number.isSafeInteger(value) : !digits.includes('.'))

/** Whether both columns could have the same content, in any row order. */
export function mayHoldTheSame(pair: ColumnPair): boolean {
  if (pair.left.length !== pair.right.length) return false
  if (pair.isExact) return pair.left.length === 0 || pair.overlap() === 1
  const others = pair.rightInOrder()
  // If the tolerance grows with the number, columns that match in any order match in sorted order.
  if (pair.leftInOrder().every((row, i) => pair.same(row, others[i]!))) return true
  // An amount without a currency matches any currency, so sorting cannot decide.
  return pair.left.some(({ number }) => number?.currency !== undefined)
}

function tallyOf(cells: readonly KnownCell[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { key, number } of cells) {
    const rough = number === undefined || Number.isInteger(number.value) ? key : number.value.toPrecision(9)
    counts.set(rough, (counts.get(rough) ?? 0) + 1)
  }
  return counts
}

function shared(expected: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): number {
  let count = 0
  for (const [key, times] of expected) count += Math.min(times, found.get(key) ?? 0)
  return count
}

function inOrder(cells: readonly KnownCell[]): readonly number[] {
  return cells
    .map((_, i) => i)
    .sort((i, j) => {
      const [a, b] = [cells[i]!, cells[j]!]
      if (a.number !== undefined && b.number !== undefined)
        return a.number.value - b.number.value || order(a.key, b.key)
      if (a.number !== undefined || b.number !== undefined) return a.number === undefined ? 1 : -1
      return order(a.key, b.key)
    })
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
