import { COMPANY } from './company.ts'
import { says } from './compiled.ts'
import { neededColumns, neededFacts, neededTables } from './question-needs.ts'
import type { Question } from './questions.ts'

export interface Shown {
  /** Share of the needed tables that are shown. */
  readonly tables: number
  /** Share of the needed columns that the schema shows. */
  readonly columns: number
  readonly allTables: boolean
  readonly allColumns: boolean
  /** All tables, columns and value meanings are shown: an SQL writer need not guess. */
  readonly everything: boolean
  readonly missing: readonly string[]
}

const NAMES = new Set(COMPANY.map(({ name }) => name))
// Prefixes allowed before a table's name on the first line of its part of a text.
const BEFORE = /^[^\p{L}]*(?:(?:create|materialized|table|view|comment|on|column)\s+)*[`"*]*/iu

/** Determines which of a question's needs a text shows. */
export function judgeText(text: string, question: Question): Shown {
  const parts = partsOf(text)
  const lines = (column: string): readonly string[] => {
    const at = column.lastIndexOf('.')
    return (parts.get(column.slice(0, at)) ?? []).filter((line) => says(line, column.slice(at + 1)))
  }
  const tables = neededTables(question)
  const lackTables = tables.filter((table) => !parts.has(table))
  const columns = neededColumns(question)
  const lackColumns = columns.filter((column) => lines(column).length === 0)
  const lackFacts = neededFacts(question).filter(
    ({ columns, words }) =>
      !columns.some((column) => words.every((word) => lines(column).some((line) => says(line, word)))),
  )
  return {
    tables: 1 - lackTables.length / tables.length,
    columns: 1 - lackColumns.length / Math.max(1, columns.length),
    allTables: lackTables.length === 0,
    allColumns: lackColumns.length === 0,
    everything: lackColumns.length + lackFacts.length === 0,
    missing: [
      ...lackTables,
      ...lackColumns,
      ...lackFacts.map(({ columns, words }) => `${columns.join('|')}: ${words.join(', ')}`),
    ],
  }
}

/** Returns the lines about each table: from a line that begins with its full name up to the next such line. */
function partsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>()
  let own: string[] = []
  for (const line of text.split('\n')) {
    const [, table] = /^(\w+\.\w+)/.exec(line.replace(BEFORE, '')) ?? []
    if (table !== undefined && NAMES.has(table)) {
      own = parts.get(table) ?? []
      parts.set(table, own)
    }
    own.push(line)
  }
  return parts
}
