import type { TableRef } from '../sql/catalogue.ts'
import type { PastQuery } from '../sql/query.ts'
import type { ParsedSql, QueryScope } from '../sql/statement.ts'

export interface TableUsage {
  readonly times: number
  readonly joins: readonly { readonly table: string; readonly times: number }[]
  readonly queries: readonly { readonly sql: string; readonly times: number }[]
}

/** Past query with the tables it reads, named as written. */
export interface ReadQuery {
  readonly query: PastQuery
  readonly tables: readonly (readonly string[])[]
}

export function tablesRead(parsed: ParsedSql): readonly (readonly string[])[] {
  return parsed.statements.flatMap((statement) => scopeTables(statement.scope))
}

const TOP = 5

/** Usage of a table: its frequency, the tables used with it, and the queries. */
export function usageOf(table: TableRef, history: readonly ReadQuery[]): TableUsage | undefined {
  const own = history.filter(({ tables }) => tables.some((name) => isTable(name, table)))
  if (own.length === 0) return undefined
  const joins = new Map<string, number>()
  for (const { query, tables } of own) {
    const others = new Set(tables.filter((name) => !isTable(name, table)).map((name) => name.slice(-2).join('.')))
    for (const other of others) joins.set(other, (joins.get(other) ?? 0) + query.times)
  }
  return {
    times: own.reduce((sum, { query }) => sum + query.times, 0),
    joins: [...joins]
      .map(([name, times]) => ({ table: name, times }))
      .toSorted((a, b) => b.times - a.times)
      .slice(0, TOP),
    queries: own
      .map(({ query }) => ({ sql: query.sql.trim(), times: query.times }))
      .toSorted((a, b) => b.times - a.times)
      .slice(0, TOP),
  }
}

function scopeTables(scope: QueryScope): readonly (readonly string[])[] {
  const ctes = new Set(scope.ctes.map((cte) => cte.name.toLowerCase()))
  const inner = [
    ...scope.branches,
    ...scope.inner.map(({ query }) => query),
    ...scope.ctes.map((cte) => cte.query),
    ...scope.sources.flatMap((source) => (source.kind === 'derived' ? [source.query] : [])),
  ]
  const own = scope.sources.flatMap((source) =>
    source.kind === 'table' && !(source.name.length === 1 && ctes.has(source.name[0]!.toLowerCase()))
      ? [source.name]
      : [],
  )
  return [
    ...own,
    ...inner.flatMap(scopeTables).filter((name) => !(name.length === 1 && ctes.has(name[0]!.toLowerCase()))),
  ]
}

export function isTable(written: readonly string[], table: TableRef): boolean {
  const full = [table.database, table.schema, table.name].map((part) => part.toLowerCase())
  const parts = written.map((part) => part.toLowerCase())
  return parts.length <= 3 && parts.length > 0 && parts.every((part, i) => part === full[3 - parts.length + i])
}
