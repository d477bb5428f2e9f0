import { cellText, isNumeric } from '../../../../../src/context/domain/results/cell-text.ts'
import type { SqlAnswer, Statement } from './use-run-sql.ts'

type Rows = Pick<SqlAnswer, 'columns' | 'rows'>

/** Rows in which some cell contains every word, in any case. */
export function filterRows({ columns, rows }: Rows, words: string): SqlAnswer['rows'] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const text = row
      .map((cell, at) => cellText(cell, columns[at]!) ?? '')
      .join('\n')
      .toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

/** Counts the rows of a statement per value of a column, as a statement that passes the same gate. */
export function groupedBy({ sql, database }: Statement, column: string): Statement {
  const inner = sql.trim().replace(/(?:\s*;)+$/, '')
  const name = `"${column.replaceAll('"', '""')}"`
  return {
    database,
    sql: `SELECT ${name}, count(*) AS row_count\nFROM (\n${inner}\n) AS rows_of\nGROUP BY ${name}\nORDER BY row_count DESC`,
  }
}

/** Columns for a first chart: the first non-numeric column against the numeric ones. */
export function firstAxes({ columns }: Rows): { readonly x: string; readonly y: string } | undefined {
  const isNumber = columns.map(isNumeric)
  const y = columns.find((_, at) => isNumber[at] && at > 0) ?? columns.find((_, at) => isNumber[at])
  const x = columns.find((column, at) => !isNumber[at] && column !== y) ?? columns.find((column) => column !== y)
  return x === undefined || y === undefined ? undefined : { x: x.name, y: y.name }
}
