import { plural } from '../../kernel/domain/text.ts'
import type { ColumnPair } from './compare-columns.ts'
import type { RowMatch } from './compare-rows.ts'
import type { CellDifference, RowDifference, Table, TableDifference } from './comparison.ts'

/** Maximum number of differing cells shown; `total` counts all of them. */
const MOST_CELLS = 50
const MOST_ROWS = 20

interface Compared {
  readonly expected: Table
  readonly found: Table
  readonly pairs: readonly ColumnPair[]
  readonly match: RowMatch
  readonly ordered: boolean
  /** Expected columns without a match. */
  readonly missing: readonly string[]
  /** The tables differ only in row order. */
  readonly isOnlyOrder: boolean
}

/** Cells that differ in nearly equal rows, and rows that have nothing in common with any other. */
export function showDifference(compared: Compared): Omit<TableDifference, 'columns'> {
  const { expected, found, pairs, match } = compared
  const left = lone(match.foundFor)
  const right = lone(match.expectedFor)
  const near = compared.ordered ? sidesByPlace(left, right) : nearestRows(left, right, compared)
  const cells: CellDifference[] = []
  let total = 0
  for (const [row, foundRow] of near) {
    for (const pair of pairs) {
      if (pair.same(row, foundRow)) continue
      total++
      if (cells.length < MOST_CELLS)
        cells.push({
          column: pair.expected.name,
          row: row + 1,
          expected: expected.rows[row]![pair.expected.at] ?? null,
          found: found.rows[foundRow]![pair.found.at] ?? null,
        })
    }
  }
  const [paired, pairedFound] = [new Set(near.map(([row]) => row)), new Set(near.map(([, row]) => row))]
  const [missing, extra] = [left.filter((row) => !paired.has(row)), right.filter((row) => !pairedFound.has(row))]
  return {
    reason: reasonOf(compared, { differing: near.length, missing: missing.length, extra: extra.length }),
    cells,
    total,
    rows: near.slice(0, MOST_ROWS).map((pair) => besideEachOther(pair, compared)),
    missingRows: missing.slice(0, MOST_ROWS).map((row) => expected.rows[row]!),
    missing: missing.length,
    extra: extra.length,
    extraRows: extra.slice(0, MOST_ROWS).map((row) => pairs.map((pair) => found.rows[row]![pair.found.at] ?? null)),
  }
}

/** Contains matched columns only: others cannot be compared cell by cell. */
function besideEachOther(
  [row, foundRow]: readonly [number, number],
  { expected, found, pairs }: Compared,
): RowDifference {
  return {
    row: row + 1,
    expected: pairs.map((pair) => expected.rows[row]![pair.expected.at] ?? null),
    found: pairs.map((pair) => found.rows[foundRow]![pair.found.at] ?? null),
    differs: pairs.flatMap((pair, place) => (pair.same(row, foundRow) ? [] : [place])),
  }
}

function lone(partners: Int32Array): readonly number[] {
  const rows: number[] = []
  partners.forEach((partner, row) => {
    if (partner === -1) rows.push(row)
  })
  return rows
}

type Near = readonly (readonly [row: number, foundRow: number])[]

function sidesByPlace(left: readonly number[], right: readonly number[]): Near {
  const others = new Set(right)
  return left.filter((row) => others.has(row)).map((row) => [row, row])
}

// Above this number only rows that share a rare value are compared.
const MOST_PAIRS = 200_000
const MOST_ALIKE = 20

/** Pairs rows that share the most, each once; values that are rare in their column weigh more. */
function nearestRows(left: readonly number[], right: readonly number[], { pairs, expected, found }: Compared): Near {
  const weights = pairs.map(rarity)
  const isLonely = pairs.length === 1 || (expected.rows.length === 1 && found.rows.length === 1)
  const scored: { readonly row: number; readonly foundRow: number; readonly score: number }[] = []
  const take = (row: number, foundRow: number): void => {
    let score = isLonely ? 1e-9 : 0
    let apart = 0
    pairs.forEach((pair, i) => {
      const [a, b] = [pair.left[row]!, pair.right[foundRow]!]
      if (pair.same(row, foundRow)) score += 1 / (weights[i]!.get(a.key) ?? 1)
      else apart += distance(a.number?.value, b.number?.value)
    })
    // Among rows that share equally much, prefers the numerically nearer ones.
    if (score > 0)
      scored.push({ row, foundRow, score: score - (1e-6 * apart) / pairs.length / (1 + expected.rows.length) })
  }
  if (left.length * right.length <= MOST_PAIRS) for (const row of left) for (const other of right) take(row, other)
  else for (const [row, others] of sharingRareValues(left, right, pairs)) for (const other of others) take(row, other)
  const [takenLeft, takenRight] = [new Set<number>(), new Set<number>()]
  const near: [number, number][] = []
  for (const { row, foundRow } of scored.toSorted(
    (a, b) => b.score - a.score || a.row - b.row || a.foundRow - b.foundRow,
  )) {
    if (takenLeft.has(row) || takenRight.has(foundRow)) continue
    takenLeft.add(row)
    takenRight.add(foundRow)
    near.push([row, foundRow])
  }
  return near.toSorted(([a], [b]) => a - b)
}

function rarity({ left }: ColumnPair): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { key } of left) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Relative distance, from 0 to 1. */
function distance(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined || !Number.isFinite(a) || !Number.isFinite(b)) return 1
  return Math.abs(a - b) / (Math.abs(a) + Math.abs(b) || 1)
}

function* sharingRareValues(
  left: readonly number[],
  right: readonly number[],
  pairs: readonly ColumnPair[],
): Generator<readonly [number, ReadonlySet<number>]> {
  const indexes = pairs.map((pair) => Map.groupBy(right, (row) => pair.right[row]!.key))
  for (const row of left) {
    const others = new Set<number>()
    pairs.forEach((pair, i) => {
      const alike = indexes[i]!.get(pair.left[row]!.key) ?? []
      if (alike.length <= MOST_ALIKE) for (const other of alike) others.add(other)
    })
    yield [row, others]
  }
}

interface Counts {
  readonly differing: number
  readonly missing: number
  readonly extra: number
}

function reasonOf({ expected, found, missing: columns, isOnlyOrder }: Compared, counts: Counts): string {
  if (columns.length > 0) return `no column of the answer is ${columns.slice(0, 10).join(', ')}`
  if (isOnlyOrder) return 'the rows come in another order'
  const [rows, foundRows] = [expected.rows.length, found.rows.length]
  if (rows === 0) return `no rows expected, ${foundRows} found`
  if (foundRows === 0) return `${plural(rows, 'row')} expected, none found`
  const said = [
    counts.differing > 0 &&
      `${counts.differing} of ${plural(rows, 'row')} ${counts.differing === 1 ? 'differs' : 'differ'}`,
    counts.missing > 0 && `${plural(counts.missing, 'row')} missing`,
    counts.extra > 0 && `${plural(counts.extra, 'row')} too many`,
  ].filter((one) => one !== false)
  const sizes = rows === foundRows ? '' : ` (${rows} expected, ${foundRows} found)`
  return said.length > 0 ? `${said.join(', ')}${sizes}` : 'the columns are not those expected'
}
