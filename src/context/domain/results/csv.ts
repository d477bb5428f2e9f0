import type { QueryResult } from '../sql/query.ts'
import { cellText, isNumeric } from './cell-text.ts'

/**
 * A result in RFC 4180 format: a header, lines that end in CRLF, quotes if needed. NULL is empty, an empty text is
 * `""`. Cells are exact; with `spreadsheet` a text that a spreadsheet would read as a formula gets a leading
 * apostrophe.
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
        // Long numbers are strings, and SQLite stores anything in a number column.
        const isNumber = typeof cell !== 'string' || (isNumeric(column) && PLAIN_NUMBER.test(text))
        return quoted(isNumber ? text : safe(text))
      })
      .join(','),
  )
  return [columns.map(({ name }) => quoted(safe(name))).join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

// Including full-width forms of East Asian keyboards, behind a byte order mark, which spreadsheets skip.
const FORMULA = /^\uFEFF*[=+\-@\t\r\n＝＋－＠]/
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/

const quoted = (text: string): string => (/^$|[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
