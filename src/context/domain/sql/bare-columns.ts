import type { AllowedTable } from './policy.ts'
import { plainTokens } from './select-lists.ts'
import type { ParsedStatement } from './statement.ts'

/**
 * Table column that each result column shows unchanged; undefined if it may be computed. Only a plain SELECT from
 * tables is followed, and only names in the catalogue: everything else counts as computed.
 */
export function bareColumns(
  statement: ParsedStatement,
  tables: readonly AllowedTable[],
  answered: readonly string[],
): readonly (string | undefined)[] {
  const computed = answered.map(() => undefined)
  const items = isPlain(statement) ? selectItems(statement.sql) : undefined
  if (items === undefined) return computed
  const read = readTables(statement, tables)
  const shown = items.map((item) => shownBy(item, read))
  // An alias may hide a column of the same name from later clauses.
  const aliases = new Set(shown.flatMap((item) => (item.alias === undefined ? [] : [fold(item.alias)])))
  const stars = shown.flatMap((item, i) => (item.star ? [i] : []))
  const nameOf = (item: Shown): string | undefined =>
    item.column === undefined || aliases.has(fold(item.column)) ? undefined : item.column
  if (stars.length === 0) return answered.length === items.length ? shown.map(nameOf) : computed
  const behind = shown.length - 1 - stars[0]!
  if (stars.length > 1 || answered.length < shown.length - 1) return computed
  return answered.map((name, i) => {
    if (i < stars[0]!) return nameOf(shown[i]!)
    if (i >= answered.length - behind) return nameOf(shown[shown.length - (answered.length - i)]!)
    return read.columns.get(fold(name))
  })
}

interface ReadTables {
  /** Columns by lower-case name, spelled as in the catalogue. */
  readonly columns: ReadonlyMap<string, string>
  /** Lower-case aliases, tables, schemas and databases that may qualify a column. */
  readonly prefixes: ReadonlySet<string>
}

interface Shown {
  readonly star: boolean
  readonly column: string | undefined
  readonly alias: string | undefined
}

/** One SELECT over tables, with nothing that could introduce values another way. */
function isPlain({ kind, scope, sql }: ParsedStatement): boolean {
  if (kind !== 'query' || scope.ctes.length + scope.branches.length + scope.inner.length > 0) return false
  if (!scope.sources.every((source) => source.kind === 'table' && source.columns.length === 0)) return false
  // Engines differ in where comments, escapes and quoted texts end; a pivot turns values into columns.
  return !/--|\/\*|[#\\$:]|\b(?:un)?pivot\b/i.test(sql)
}

function readTables({ scope }: ParsedStatement, tables: readonly AllowedTable[]): ReadTables {
  const named = scope.sources.flatMap((source) => (source.kind === 'table' ? [source] : []))
  const written = new Set(named.map(({ name }) => fold(name.at(-1) ?? '')))
  const read = tables.filter((table) => written.has(fold(table.name)))
  const prefixes = [
    ...named.flatMap(({ name, alias }) => [...name, ...(alias === undefined ? [] : [alias])]),
    ...read.flatMap((table) => [table.name, table.schema, table.database]),
  ]
  return {
    columns: new Map(read.flatMap((table) => table.columns).map((name) => [fold(name), name])),
    prefixes: new Set(prefixes.map(fold)),
  }
}

/** Tokens of each item between SELECT and FROM; undefined if the statement is not that simple. */
function selectItems(sql: string): readonly (readonly string[])[] | undefined {
  const tokens = plainTokens(sql)
  if (fold(tokens[0] ?? '') !== 'select') return undefined
  const items: string[][] = [[]]
  let depth = 0
  for (const token of tokens.slice(/^(?:all|distinct)$/i.test(tokens[1] ?? '') ? 2 : 1)) {
    if (depth === 0 && fold(token) === 'from') return items.some((item) => item.length === 0) ? undefined : items
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === ',' && depth === 0) items.push([])
    else items.at(-1)!.push(token)
  }
  return undefined
}

/** `name`, `t.name`, either with an alias, and `*` or `t.*`. */
function shownBy(tokens: readonly string[], { columns, prefixes }: ReadTables): Shown {
  const path: string[] = []
  let at = 0
  do {
    path.push((tokens[at] === '*' ? '*' : nameOf(tokens[at] ?? '')) ?? '')
    at += 2
  } while (tokens[at - 1] === '.')
  const rest = tokens.slice(at - 1)
  const alias = nameOf(rest.at(-1) ?? '')
  const isNamed = rest.length === 1 || (rest.length === 2 && fold(rest[0]!) === 'as')
  const isWhole =
    (rest.length === 0 || (isNamed && alias !== undefined)) &&
    path.slice(0, -1).every((part) => prefixes.has(fold(part)))
  const column = isWhole ? columns.get(fold(path.at(-1)!)) : undefined
  const hides = alias !== undefined && fold(alias) !== fold(column ?? '') ? alias : undefined
  return { star: isWhole && rest.length === 0 && path.at(-1) === '*', column, alias: hides }
}

function nameOf(token: string): string | undefined {
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(token)) return token
  if (token.startsWith('"')) return token.slice(1, -1).replaceAll('""', '"')
  return token.startsWith('`') ? token.slice(1, -1).replaceAll('``', '`') : undefined
}

const fold = (name: string): string => name.toLowerCase()
