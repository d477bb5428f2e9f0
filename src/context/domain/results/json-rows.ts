import type { Cell, QueryResult } from '../sql/query.ts'
import { cellText, distinctNames, isNumeric, type ResultColumn } from './cell-text.ts'

/** The rows as JSON objects, one text each. Numbers keep all their digits, and JSON values stay JSON. */
export function jsonRows({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): readonly string[] {
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
