import type { Calls } from '../../api/call.ts'

type Check = Calls['test_show']['output']['cases'][number]['attempts'][number]['checks'][number]
export type Difference = NonNullable<Check['difference']>
export type Cell = Difference['missing_rows'][number][number] | undefined

/** One line of the two tables side by side; a side is undefined if it has no such row. */
export interface DifferenceRow {
  readonly row: number | undefined
  readonly expected: readonly Cell[] | undefined
  readonly found: readonly Cell[] | undefined
  /** Indexes of the cells that differ. */
  readonly differs: ReadonlySet<number>
}

export interface DifferenceTable {
  readonly columns: readonly { readonly expected: string; readonly found: string }[]
  /** Expected columns without a match in the answer. */
  readonly lost: readonly string[]
  readonly rows: readonly DifferenceRow[]
  /** Numbers that are not shown: differing cells (`rows`), missing rows and extra rows. */
  readonly more: { readonly rows: number; readonly missing: number; readonly extra: number }
}

/** Expected values next to actual ones: differing rows, then missing rows, then extra rows. */
export function differenceTable(difference: Difference): DifferenceTable {
  const places = difference.columns.flatMap((one, at) => (one.found === null ? [] : [at]))
  const columns = places.map((at) => ({
    expected: difference.columns[at]!.expected,
    found: difference.columns[at]!.found!,
  }))
  const all = (): ReadonlySet<number> => new Set(columns.keys())
  const pairs = pairsOf(difference, columns)
  const missing = difference.missing_rows.map((row): DifferenceRow => ({
    row: undefined,
    expected: places.map((at) => row[at]),
    found: undefined,
    differs: all(),
  }))
  const extra = difference.extra_rows.map((row): DifferenceRow => ({
    row: undefined,
    expected: undefined,
    found: row,
    differs: all(),
  }))
  const shownCells = pairs.reduce((sum, { differs }) => sum + differs.size, 0)
  return {
    columns,
    lost: difference.columns.flatMap((one) => (one.found === null ? [one.expected] : [])),
    rows: [...pairs, ...missing, ...extra],
    more: {
      rows: Math.max(0, difference.total - shownCells),
      missing: difference.missing - missing.length,
      extra: difference.extra - extra.length,
    },
  }
}

/** Pairs of expected and found rows. Runs of an earlier version stored only the cells that differ. */
function pairsOf(difference: Difference, columns: readonly { readonly expected: string }[]): readonly DifferenceRow[] {
  if (difference.rows !== undefined) return difference.rows.map((one) => ({ ...one, differs: new Set(one.differs) }))
  return [...Map.groupBy(difference.cells, ({ row }) => row)].map(([row, cells]) => {
    const at = columns.map(({ expected }) => cells.find(({ column }) => column === expected))
    return {
      row,
      expected: at.map((cell) => cell?.expected),
      found: at.map((cell) => cell?.found),
      differs: new Set(at.flatMap((cell, place) => (cell === undefined ? [] : [place]))),
    }
  })
}

/** A cell for display. "5" and 5 may differ, and must not look the same. */
export function cellText(cell: Cell): { readonly text: string; readonly isNothing: boolean } {
  if (cell === undefined) return { text: '…', isNothing: true }
  if (cell === null) return { text: 'null', isNothing: true }
  if (cell === '') return { text: 'empty text', isNothing: true }
  const isOdd = typeof cell === 'string' && /^[-+]?[\d.]|^(?:true|false|null|\s|.*\s$)/.test(cell)
  return { text: isOdd ? JSON.stringify(cell) : String(cell), isNothing: false }
}
