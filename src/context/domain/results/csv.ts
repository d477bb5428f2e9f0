import type { QueryResult } from '../sql/query.ts'
import { cellText, isNumeric } from './cell-text.ts'

/**
 * A result as RFC 4180 has it: a header, lines that end in CRLF, quotes where they are needed. NULL is nothing at all,
 * an empty text is `""`. Cells are exact; with `spreadsheet` a text that a spreadsheet would take for a formula gets an
 * apostrophe before it.
 */
export function csvText(
  { columns, rows }: Pick<QueryResult, 'columns' | 'rows'>,
  { spreadsheet = false } = {},
): string {
  const safe = (text: string): string => (spreadsheet && FORMULA.test(text) ? `'${text}` : text)
  const lines = rows.map((row) =>
    columns
      .map((column, i) => {
        const cell = row[i] ?? null
        const text = cellText(cell, column)
        if (text === null) return ''
        // A long number comes as text; SQLite keeps anything in a column of numbers.
        const isNumber = typeof cell !== 'string' || (isNumeric(column) && PLAIN_NUMBER.test(text))
        return quoted(isNumber ? text : safe(text))
      })
      .join(','),
  )
  return [columns.map(({ name }) => quoted(safe(name))).join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

// Also as East Asian keyboards write them.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/

const quoted = (text: string): string => (/^$|[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
