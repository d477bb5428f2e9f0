import type { Cell } from '../../context/domain/sql/query.ts'
import { isTableRule, tableCells } from '../../kernel/domain/text/table-lines.ts'
import type { Table } from './comparison.ts'

/** Markdown tables in an answer. Cells stay text; an empty cell or NULL is null. */
export function tablesInMarkdown(text: string): readonly Table[] {
  const lines = text.split('\n')
  const tables: Table[] = []
  for (let at = 1; at < lines.length; at++) {
    if (!isTableRule(lines[at]!) || !lines[at - 1]!.includes('|')) continue
    const names = tableCells(lines[at - 1]!)
    const rows: (readonly Cell[])[] = []
    while (at + 1 < lines.length && lines[at + 1]!.includes('|')) rows.push(tableCells(lines[++at]!).map(cellOf))
    tables.push({ columns: names.map((name) => ({ name: bare(name) })), rows })
  }
  return tables
}

const LINK = /\[([^[\]]{0,300})\]\([^()]{0,500}(?:\([^()]{0,100}\)[^()]{0,100})?\)/g

const bare = (cell: string): string =>
  cell
    .replaceAll(LINK, '$1')
    .replaceAll(/^[*_`]{1,3}|[*_`]{1,3}$/g, '')
    .trim()

function cellOf(written: string): Cell {
  const text = bare(written)
  return /^(?:|null|none|n\/a|[-–—])$/i.test(text) ? null : text
}
