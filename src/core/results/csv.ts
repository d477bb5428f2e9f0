import type { QueryResult } from '../sql/query.ts'
import { cellText } from './cell-text.ts'

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
        return text === null ? '' : quoted(typeof cell === 'string' ? safe(text) : text)
      })
      .join(','),
  )
  return [columns.map(({ name }) => quoted(safe(name))).join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

const FORMULA = /^[=+\-@\t\r]/

const quoted = (text: string): string => (/^$|[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
