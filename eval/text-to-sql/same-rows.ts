import type { Cell } from '../../src/context/domain/sql/query.ts'

export type Rows = readonly (readonly Cell[])[]

/**
 * Execution accuracy as BIRD defines it: the sets of rows are equal. The order and the multiplicity of rows do not
 * count, the order of columns does, and 1 equals 1.0 but not "1".
 */
export function isSameSet(gold: Rows, found: Rows): boolean {
  const [a, b] = [gold, found].map((rows) => new Set(rows.map((row) => JSON.stringify(row.map(keyOf)))))
  return a!.size === b!.size && [...a!].every((row) => b!.has(row))
}

function keyOf(cell: Cell): string {
  if (cell === null) return 'null'
  if (typeof cell === 'bigint') return `number ${cell}`
  if (typeof cell === 'boolean') return `number ${Number(cell)}`
  return typeof cell === 'number'
    ? `number ${Number.isInteger(cell) ? BigInt(cell) : cell}`
    : `text ${cell as unknown as string}`
}

/** An accepted result of Spider 2.0. */
export interface GoldTable {
  readonly rows: Rows
  /** Positions of the columns that must be found; all if empty. */
  readonly columns: readonly number[]
}

// Spider 2.0's tolerance for numbers.
const NEAR = 0.01

/**
 * Accuracy as Spider 2.0 defines it: the answer has a column with the values of each needed column. Additional
 * columns, their order and their names do not count.
 */
export function hasColumns(
  { rows, columns }: GoldTable,
  found: Rows,
  { ignoreOrder }: { readonly ignoreOrder: boolean },
): boolean {
  const width = rows[0]?.length ?? 0
  const wanted = columns.length === 0 ? Array.from({ length: width }, (_, at) => at) : columns
  const columnOf = (from: Rows, at: number): readonly Value[] => {
    const values = from.map((row) => valueOf(row[at] ?? null))
    return ignoreOrder ? values.toSorted(byText) : values
  }
  const others = Array.from({ length: found[0]?.length ?? 0 }, (_, at) => columnOf(found, at))
  if (rows.length !== found.length) return false
  return wanted.every((at) => {
    const own = columnOf(rows, at)
    return others.some((other) => own.every((value, row) => isSameValue(value, other[row]!)))
  })
}

type Value = string | number | null

const byText = (a: Value, b: Value): number =>
  Number(a === null) - Number(b === null) || (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)

function valueOf(cell: Cell): Value {
  if (cell === null || cell === '') return null
  const number = Number(cell)
  return Number.isFinite(number) && String(cell).trim() !== '' ? number : String(cell)
}

const isSameValue = (a: Value, b: Value): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.abs(a - b) <= Math.max(NEAR, 1e-9 * Math.max(Math.abs(a), Math.abs(b)))
    : a === b
