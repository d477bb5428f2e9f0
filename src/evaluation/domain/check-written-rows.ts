import { isWithin, rangesOf } from '../../analyst/domain/citation/figures-of.ts'
import { numbersIn } from '../../analyst/domain/citation/number-in-text.ts'
import { readable } from './check-words.ts'
import { readCell } from './compare-cells.ts'
import type { Table } from './comparison.ts'
import { tablesInMarkdown } from './markdown-tables.ts'

const MOST_ROWS = 1_000

/**
 * Row of a table in an answer that names an expected row but has other numbers. The table may omit or add rows and
 * columns, round, and count in thousands; all numbers must be there only if it shows as many columns.
 */
export function contraryRow(expected: Table, answer: string): string | undefined {
  const named = rowsByName(expected)
  for (const { columns, rows } of tablesInMarkdown(answer)) {
    for (const row of rows.slice(0, MOST_ROWS)) {
      const cells = row.map((cell) => String(cell ?? ''))
      const wanted = cells.map((cell) => named.get(readable(cell))).find((numbers) => numbers !== undefined)
      const shown = cells.filter((cell) => !named.has(readable(cell))).join(' | ')
      if (wanted === undefined || numbersIn(shown).length === 0) continue
      const absent = wanted.filter((value) => !isShown(shown, value))
      const isContrary = columns.length >= expected.columns.length ? absent.length > 0 : absent.length === wanted.length
      if (isContrary && absent.length > 0)
        return `it writes “${cells.join(' | ').slice(0, 200)}”, where the result has ${absent.slice(0, 5).join(', ')}`
    }
  }
  return undefined
}

/** Numbers of each row that one of its words identifies uniquely. */
function rowsByName({ rows }: Table): ReadonlyMap<string, readonly number[]> {
  const names = new Map<string, readonly number[] | undefined>()
  for (const row of rows.slice(0, MOST_ROWS)) {
    const cells = row.map(readCell)
    const numbers = cells.flatMap(({ kind, number }) =>
      kind === 'number' && Number.isFinite(number!.value) ? [number!.value] : [],
    )
    for (const { kind, text = '', number, moment } of cells)
      if (kind === 'text' && number === undefined && moment === undefined && /\p{L}/u.test(text))
        names.set(readable(text), names.has(readable(text)) ? undefined : numbers)
  }
  return new Map([...names].flatMap(([name, numbers]) => (numbers === undefined ? [] : [[name, numbers] as const])))
}

// Percent, thousands, millions and billions, as a column header may state.
const UNITS = [1, 0.01, 1e3, 1e6, 1e9]

const isShown = (row: string, value: number): boolean =>
  numbersIn(row).some((number) => {
    const ranges = rangesOf(number, { isFall: true })
    return UNITS.some((unit) => isWithin(ranges, value / unit))
  })
