import { numberOf } from '../../../../src/analyst/domain/chart/cell-values.ts'
import type { ChartCell } from '../../../../src/analyst/domain/chart/chart.ts'
import { isNumeric } from '../../../../src/context/domain/results/cell-text.ts'

export type GridCell = ChartCell
export type GridRow = readonly GridCell[]

export interface GridColumn {
  readonly name: string
  readonly type: string
}

export interface GridSort {
  /** 0-based. */
  readonly column: number
  readonly direction: 'ascending' | 'descending'
}

/** Cycles through ascending, descending, query order. */
export function nextSort(sort: GridSort | undefined, column: number): GridSort | undefined {
  if (sort?.column !== column) return { column, direction: 'ascending' }
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : undefined
}

/** Row indexes in display order. Null comes last in both directions; equal rows keep their order. */
export function orderOf(
  rows: readonly (GridRow | undefined)[],
  columns: readonly GridColumn[],
  { column, direction }: GridSort,
): readonly number[] {
  const cells = rows.map((row) => row?.[column] ?? null)
  const values = isNumeric(columns[column] ?? { name: '', type: '' }) ? cells.map(asNumber) : cells
  const sign = direction === 'ascending' ? 1 : -1
  return values
    .map((_, at) => at)
    .sort((a, b) => {
      const [x, y] = [values[a]!, values[b]!]
      if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1
      return sign * compare(x, y) || a - b
    })
}

/** Big integers are stored as text. */
const asNumber = (cell: GridCell): GridCell => numberOf(cell) ?? cell

const collator = new Intl.Collator('en', { numeric: true })

function compare(a: NonNullable<GridCell>, b: NonNullable<GridCell>): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}
