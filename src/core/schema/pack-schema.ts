import { estimateTokens } from '../context-project/manifest.ts'

/** A table that a question needs, with what can be told of it. */
export interface PackedTable {
  /** `schema.table`, with the database before it where there are several. */
  readonly name: string
  /** What it is, on one line. */
  readonly about: string
  readonly columns: readonly PackedColumn[]
}

export interface PackedColumn {
  readonly name: string
  /** Everything that is known of it, on one line. */
  readonly line: string
  readonly isKey: boolean
  /** How much it has to do with the question. */
  readonly score: number
}

/** `orders.customer_id = customers.id` between two tables by their names. */
export interface PackedJoin {
  readonly from: string
  readonly to: string
  readonly on: string
}

/** Of what a budget allows, this much is for the columns that the question names and for keys. */
const FOR_NAMED = 0.7
const JOINS = 0.15
/** A name and a comma. */
const NAME_OVERHEAD = 1

/**
 * The tables of a question as one text within a budget of tokens, the surest first: of each what the question names and
 * its keys, then the names of its other columns, then what is known of those.
 */
export function packSchema(
  tables: readonly PackedTable[],
  joins: readonly PackedJoin[],
  tokens: number,
): { readonly text: string; readonly tables: readonly string[] } {
  const room = { left: tokens }
  const take = (text: string): boolean => {
    const cost = estimateTokens(text) + NAME_OVERHEAD
    if (cost > room.left) return false
    room.left -= cost
    return true
  }
  const reserved = Math.floor(tokens * (1 - FOR_NAMED))
  room.left -= reserved
  const chosen: Chosen[] = []
  for (const table of tables) {
    const one: Chosen = { table, lines: new Set(), names: new Set() }
    if (!take(headOf(table))) break
    chosen.push(one)
    for (const column of table.columns.toSorted(byWorth)) {
      if ((column.isKey || column.score > 0) && take(column.line)) one.lines.add(column)
    }
  }
  room.left += reserved
  const between = joins.filter(({ from, to }) => isChosen(chosen, from) && isChosen(chosen, to))
  const told: string[] = []
  const forJoins = room.left - tokens * JOINS
  for (const { on } of between) if (room.left > forJoins && take(`- ${on}`)) told.push(on)
  for (const one of chosen)
    for (const column of one.table.columns) if (!one.lines.has(column) && take(column.name)) one.names.add(column)
  for (const one of chosen)
    for (const column of one.table.columns)
      if (!one.lines.has(column) && take(column.line)) {
        one.lines.add(column)
        one.names.delete(column)
      }
  return {
    text: [
      ...chosen.map(textOf),
      ...(told.length === 0 ? [] : [['Joins:', ...told.map((on) => `- ${on}`)].join('\n')]),
    ].join('\n\n'),
    tables: chosen.map(({ table }) => table.name),
  }
}

interface Chosen {
  readonly table: PackedTable
  readonly lines: Set<PackedColumn>
  readonly names: Set<PackedColumn>
}

const byWorth = (one: PackedColumn, other: PackedColumn): number =>
  other.score - one.score || Number(other.isKey) - Number(one.isKey)

const isChosen = (chosen: readonly Chosen[], name: string): boolean => chosen.some(({ table }) => table.name === name)

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
