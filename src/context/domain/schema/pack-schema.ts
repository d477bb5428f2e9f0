import { tokenWeight } from '../../../kernel/domain/text/estimate-tokens.ts'

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
  /** Its type, if nothing else is known: such columns share a line. */
  readonly onlyType?: string | undefined
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

/**
 * Share of the budget for details of columns, spent before the names of other columns and further tables. Chosen with
 * eval/analyst-linking.ts and eval/linking.ts.
 */
const FOR_DETAIL = 0.7
/** Weight of a column that the question does not name: a key is needed for joins, and a filter is often implied. */
const KEY = 0.5
const UNNAMED = 0.3

/**
 * The tables of a question as one text that fills a token budget: first the named columns and keys of the most certain
 * tables, then more of them and of the others. Columns that do not fit are listed by name only, and so are those of
 * further tables; if all names fit, more details follow.
 */
export function packSchema(tables: readonly PackedTable[], joins: readonly PackedJoin[], tokens: number): string {
  const chosen = new Map<PackedTable, Chosen>()
  let left = tokens * FOR_DETAIL
  const take = (weight: number): boolean => {
    if (weight > left) return false
    left -= weight
    return true
  }
  const open = (table: PackedTable): Chosen | undefined => {
    const known = chosen.get(table)
    if (known !== undefined || !take(tokenWeight(headOf(table)) + TABLE_END + MORE)) return known
    const opened = { table, lines: new Set<PackedColumn>(), types: new Set<string>(), names: new Set<PackedColumn>() }
    chosen.set(table, opened)
    return opened
  }
  const isWhole = ({ table, lines, names }: Chosen): boolean => lines.size + names.size === table.columns.length
  const columns = byWorth(tables)
  const addLines = (): void => {
    for (const { table, column } of columns) {
      const one = open(table)
      if (one === undefined || one.lines.has(column)) continue
      const isNamed = one.names.has(column)
      if (!take(weightOfLine(column, one) - (isNamed ? weightOfName(column) : 0))) continue
      one.lines.add(column)
      if (column.onlyType !== undefined) one.types.add(column.onlyType)
      one.names.delete(column)
      if (!isNamed && isWhole(one)) left += MORE
    }
  }
  const addNames = (one: Chosen): void => {
    for (const column of one.table.columns) {
      if (one.lines.has(column) || !take(weightOfName(column) + (one.names.size === 0 ? ALSO : 0))) continue
      one.names.add(column)
      if (isWhole(one)) left += MORE
    }
  }
  addLines()
  left += tokens * (1 - FOR_DETAIL) - (joins.length === 0 ? 0 : tokenWeight(`\n\n${JOINS}`))
  const isChosen = (name: string): boolean => [...chosen.keys()].some((table) => table.name === name)
  const told = joins.filter(
    ({ from, to, on }) => isChosen(from) && isChosen(to) && take(tokenWeight(`- ${on}`) + LINE_END),
  )
  for (const one of chosen.values()) addNames(one)
  for (const table of tables)
    if (!chosen.has(table)) {
      const one = open(table)
      if (one !== undefined) addNames(one)
    }
  addLines()
  return [
    ...tables.flatMap((table) => chosen.get(table) ?? []).map(textOf),
    ...(told.length === 0 ? [] : [[JOINS, ...told.map(({ on }) => `- ${on}`)].join('\n')]),
  ].join('\n\n')
}

const JOINS = 'Joins nobody declared:'
const LINE_END = tokenWeight('\n')
const TABLE_END = tokenWeight('\n\n')
const ALSO = tokenWeight('\nalso ')
const MORE = tokenWeight('\nand 1,000 more columns')
const weightOfName = ({ name }: PackedColumn): number => tokenWeight(`${name}, `)

function weightOfLine(column: PackedColumn, { types }: Pick<Chosen, 'types'>): number {
  const { line, onlyType } = column
  if (onlyType === undefined) return tokenWeight(line) + LINE_END
  return weightOfName(column) + (types.has(onlyType) ? 0 : tokenWeight(`\n- : ${onlyType}`))
}

/** All columns, those that a question probably needs first. */
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
  /** Types of lines that columns share. */
  readonly types: Set<string>
  readonly names: Set<PackedColumn>
}

const headOf = ({ name, about }: PackedTable): string => (about === '' ? `## ${name}` : `## ${name}\n${about}`)

function textOf({ table, lines, names }: Chosen): string {
  const told = table.columns.filter((column) => lines.has(column))
  const byType = Map.groupBy(
    told.filter(({ onlyType }) => onlyType !== undefined),
    ({ onlyType }) => onlyType,
  )
  const others = table.columns.filter((column) => names.has(column)).map(({ name }) => name)
  const left = table.columns.length - lines.size - others.length
  return [
    headOf(table),
    ...told.filter(({ onlyType }) => onlyType === undefined).map(({ line }) => line),
    ...[...byType].map(([type, same]) => `- ${same.map(({ name }) => name).join(', ')}: ${type}`),
    ...(others.length === 0 ? [] : [`also ${others.join(', ')}`]),
    ...(left === 0 ? [] : [`and ${left} more columns`]),
  ].join('\n')
}
