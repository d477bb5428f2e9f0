import { plainView } from '../../../kernel/domain/view/view.ts'
import type { QueryResult, Cell } from '../sql/query.ts'
import { cellText, distinctNames, isNumeric, type ResultColumn } from './cell-text.ts'
import { csvText } from './csv.ts'
import { markdownTable } from './markdown-table.ts'
import { resultTable } from './result-table.ts'

export const RESULT_FORMATS = ['table', 'csv', 'json', 'jsonl', 'parquet', 'markdown'] as const
export type ResultFormat = (typeof RESULT_FORMATS)[number]
export type TextFormat = Exclude<ResultFormat, 'parquet'>

/** Whether a format is for programs: every row, every character, and nothing else. */
export const isData = (format: ResultFormat): boolean => format !== 'table' && format !== 'markdown'

/** The format by file extension; undefined if unknown. */
export function formatOfFile(path: string): ResultFormat | undefined {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return ENDINGS[ending]
}

const ENDINGS: Readonly<Record<string, ResultFormat>> = {
  csv: 'csv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  pq: 'parquet',
  md: 'markdown',
  txt: 'table',
}

/** A whole result as the text of a file. */
export function resultText(
  result: Pick<QueryResult, 'columns' | 'rows'>,
  format: TextFormat,
  { spreadsheet = false, expanded = false } = {},
): string {
  const { columns, rows } = result
  switch (format) {
    case 'csv':
      return csvText(result, { spreadsheet })
    case 'json':
      return rows.length === 0 ? '[]\n' : `[\n${jsonRows(result).join(',\n')}\n]\n`
    case 'jsonl':
      return jsonRows(result)
        .map((row) => `${row}\n`)
        .join('')
    case 'markdown':
      return `${markdownTable(
        columns,
        rows.map((row) => columns.map((column, i) => cellText(row[i] ?? null, column))),
      ).join('\n')}\n`
    default:
      return `${resultTable(result, plainView('pipe'), { expanded }).join('\n')}\n`
  }
}

/** The rows as JSON objects, one text each. Numbers keep all their digits, and JSON values stay JSON. */
function jsonRows({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): readonly string[] {
  const names = distinctNames(columns).map((name) => JSON.stringify(name))
  return rows.map((row) => `{${names.map((name, i) => `${name}:${jsonCell(row[i] ?? null, columns[i]!)}`).join(',')}}`)
}

const NESTED = /^(?:jsonb?|variant|object|array|map|struct|row|tuple|list)\b|\[\d*\]$/i

function jsonCell(cell: Cell, column: ResultColumn): string {
  if (cell === null || typeof cell === 'boolean') return String(cell)
  const text = cellText(cell, column)!
  if (typeof cell === 'number' || typeof cell === 'bigint') return text
  if (isNumeric(column) && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return text
  return NESTED.test(column.type) && isJson(text) ? text.replaceAll(/[\r\n]+/g, ' ') : JSON.stringify(text)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
