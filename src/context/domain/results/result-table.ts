import { unmarked } from '../../../kernel/domain/view/styled.ts'
import { table, type Column } from '../../../kernel/domain/view/table.ts'
import type { View } from '../../../kernel/domain/view/view.ts'
import { displayWidth, fitWidth, padWidth } from '../../../kernel/domain/view/width.ts'
import type { Cell } from '../sql/query.ts'
import { cellText, isNumeric, type ResultColumn } from './cell-text.ts'

export interface ShownRows {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * Rows under their names, numbers right-aligned; a result that is too wide for the screen has a line for each column.
 */
export function resultTable(shown: ShownRows, view: View, { expanded = false } = {}): readonly string[] {
  if (shown.columns.length === 0) return []
  const isTooWide = shown.columns.length * (LEAST_COLUMN + GAP) > view.width
  return expanded || isTooWide ? records(shown, view) : grid(shown, view)
}

const LEAST_COLUMN = 6
/** Types that are never shortened: their end matters as much as the beginning, and they are not long. */
const SHORT = /^(?:bool|date|time|uuid)/i
const GAP = 2
// A character takes up to eight string units if it is a combined emoji.
const UNITS = 8

function grid({ columns, rows }: ShownRows, view: View): readonly string[] {
  const at = (row: number, column: number): Cell => rows[row - 1]?.[column] ?? null
  const shape = columns.map((column, x): Column => ({
    ...(isNumeric(column) ? { align: 'right' as const } : { shrinks: !SHORT.test(column.type) }),
    tone: (row) => (row === 0 ? 'title' : at(row, x) === null ? 'dim' : undefined),
  }))
  const cells = [
    columns.map(({ name }) => name || UNNAMED),
    ...rows.map((row) => columns.map((column, x) => shownCell(row[x] ?? null, column, view.width))),
  ]
  const [header = '', ...lines] = table(cells, shape, view)
  const width = [header, ...lines].reduce((most, text) => Math.max(most, displayWidth(unmarked(text))), 0)
  return [header, view.mark('dim', '─'.repeat(width)), ...lines]
}

/** One block per row, one line per column. */
function records({ columns, rows }: ShownRows, view: View): readonly string[] {
  const widest = columns.reduce((most, { name }) => Math.max(most, displayWidth(name || UNNAMED)), 0)
  const name = Math.min(widest, Math.max(LEAST_COLUMN, Math.floor(view.width / 3)))
  const room = view.width - name - GAP
  return rows.flatMap((row, y) => [
    view.mark('dim', `─ row ${y + 1} `.padEnd(Math.min(view.width, WIDEST_RULE), '─')),
    ...columns.map((column, x) => {
      const cell = row[x] ?? null
      const text = fitWidth(shownCell(cell, column, view.width), room)
      return `${view.mark('title', padWidth(fitWidth(column.name || UNNAMED, name), name))}  ${cell === null ? view.mark('dim', text) : text}`
    }),
  ])
}

const UNNAMED = '(no name)'
const WIDEST_RULE = 40

/** NULL is written as a word; a text "NULL" is quoted, and an empty text is empty. */
function shownCell(cell: Cell, column: ResultColumn, width: number): string {
  const text = cellText(cell, column)
  if (text === null) return 'NULL'
  const start = width === Infinity ? text : text.slice(0, width * UNITS)
  return start === 'NULL' ? "'NULL'" : start.replaceAll(/\r\n|[\r\n]/g, '↵')
}
