import { estimateTokens } from '../context-project/manifest.ts'

/** A table that a question needs, with its details. */
export interface PackedTable {
  /** `schema.table`, prefixed with the database if there are several. */
  readonly name: string
  /** Confidence that the question needs it, relative to the surest: up to 1. */
  readonly share: number
  /** Its description on one line. */
  readonly about: string
  readonly columns: readonly PackedColumn[]
}

export interface PackedColumn {
  readonly name: string
  /** Everything known about it, on one line. */
  readonly line: string
  readonly isKey: boolean
  /** Relevance to the question. */
  readonly score: number
}

/** `orders.customer_id = customers.id` between two tables by their names. */
export interface PackedJoin {
  readonly from: string
  readonly to: string
  readonly on: string
}

/** Share of the budget for names of columns that would not fit otherwise. */
const FOR_NAMES = 0.15
/** Weight of a column that the question does not name: a key is needed for joins, and a filter is often implied. */
const KEY = 0.5
const UNNAMED = 0.3
/** A name and a comma, or a line and its end. */
const OVERHEAD = 1

/**
 * The tables of a question as one text within a token budget: first the named columns and keys of the surest tables,
 * then more of them and of the others. Columns that do not fit are listed by name only.
 */
export function packSchema(tables: readonly PackedTable[], joins: readonly PackedJoin[], tokens: number): string {
  let left = Math.floor(tokens * (1 - FOR_NAMES))
  const take = (text: string): boolean => {
    const cost = estimateTokens(text) + OVERHEAD
    if (cost > left) return false
    left -= cost
    return true
  }
  const chosen = new Map<PackedTable, Chosen>()
  for (const { table, column } of byWorth(tables)) {
    let one = chosen.get(table)
    if (one === undefined && take(headOf(table)))
      chosen.set(table, (one = { table, lines: new Set(), names: new Set() }))
    if (one !== undefined && take(column.line)) one.lines.add(column)
  }
  left += Math.ceil(tokens * FOR_NAMES)
  const all = tables.flatMap((table) => chosen.get(table) ?? [])
  const isChosen = (name: string): boolean => all.some(({ table }) => table.name === name)
  const told = joins.filter(({ from, to, on }) => isChosen(from) && isChosen(to) && take(`- ${on}`))
  for (const one of all)
    for (const column of one.table.columns) if (!one.lines.has(column) && take(column.name)) one.names.add(column)
  return [
    ...all.map(textOf),
    ...(told.length === 0 ? [] : [['Joins nobody declared:', ...told.map(({ on }) => `- ${on}`)].join('\n')]),
  ].join('\n\n')
}

/** All columns, those probably needed by a question first. */
function byWorth(
  tables: readonly PackedTable[],
): readonly { readonly table: PackedTable; readonly column: PackedColumn }[] {
  const best = Math.max(...tables.flatMap(({ columns }) => columns.map(({ score }) => score)), Number.MIN_VALUE)
  return tables
    .flatMap((table) =>
      table.columns.map((column) => ({
        table,
        column,
        worth: table.share * ((column.isKey ? KEY : UNNAMED) + column.score / best),
      })),
    )
    .toSorted((one, other) => other.worth - one.worth)
}

interface Chosen {
  readonly table: PackedTable
  readonly lines: Set<PackedColumn>
  readonly names: Set<PackedColumn>
}

const headOf = ({ name, about }: PackedTable): string => (about === '' ? `## ${name}` : `## ${name}\n${about}`)

function textOf({ table, lines, names }: Chosen): string {
  const others = table.columns.filter((column) => names.has(column)).map(({ name }) => name)
  const left = table.columns.length - lines.size - others.length
  return [
    headOf(table),
    ...table.columns.filter((column) => lines.has(column)).map(({ line }) => line),
    ...(others.length === 0 ? [] : [`also ${others.join(', ')}`]),
    ...(left === 0 ? [] : [`and ${left} more columns`]),
  ].join('\n')
}
