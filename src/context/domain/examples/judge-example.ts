import { isTable, tablesRead } from '../sources/table-usage.ts'
import { judgeStatement } from '../sql/judge-statement.ts'
import type { AllowedTable, SqlPolicy } from '../sql/policy.ts'
import type { ParsedSql, ParsedStatement, QueryScope } from '../sql/statement.ts'

export interface ExampleVerdict {
  /** Why the example does not work; undefined if it does. */
  readonly stale: string | undefined
  /** The tables of the context that it reads. */
  readonly tables: readonly AllowedTable[]
}

/** Whether a statement would run now: the gate accepts it, and its tables and columns exist. Nothing is executed. */
export function judgeExample(
  parsed: ParsedSql,
  policy: SqlPolicy & { tables: readonly AllowedTable[] },
): ExampleVerdict {
  const verdict = judgeStatement(parsed, policy)
  if (!verdict.allowed) return { stale: verdict.reason, tables: [] }
  const statement = parsed.statements[0]!
  const tables = policy.tables.filter((table) => tablesRead(parsed).some((name) => isTable(name, table)))
  if (statement.kind !== 'query') return { stale: 'it answers no question: only a query does', tables }
  const column = unknownColumn(statement, tables)
  return { stale: column === undefined ? undefined : `no table it reads has a column ${column}`, tables }
}

/**
 * A bare name that nothing in the statement provides. The gate leaves such a name to the engine, which rejects it.
 * Ignored if a source with unknown columns may provide it.
 */
function unknownColumn(statement: ParsedStatement, tables: readonly AllowedTable[]): string | undefined {
  if (/->|\b(?:lambda|(?:un)?pivot|match_recognize)\b/i.test(statement.sql)) return undefined
  const known = new Set(
    [
      ...tables.flatMap(({ columns, name }) => [...columns, name]),
      ...aliasesIn(statement.sql),
      // Engines' default names for unnamed columns.
      ...statement.functions.map(({ name }) => name),
    ].map(fold),
  )
  const used: string[] = []
  const isSure = collect(statement.scope, { known, used })
  return isSure ? used.find((name) => !known.has(fold(name)) && !BUILT_IN.has(fold(name))) : undefined
}

/** Returns false if a source has columns that are unknown before it runs. */
function collect(scope: QueryScope, found: { readonly known: Set<string>; readonly used: string[] }): boolean {
  const { known, used } = found
  used.push(...scope.columns.flatMap(({ path }) => (path.length === 1 ? [path[0]!] : [])))
  for (const source of scope.sources) {
    if (source.alias !== undefined) known.add(fold(source.alias))
    if (source.kind === 'made') {
      if (source.offers === undefined) return false
      for (const name of source.offers) known.add(fold(name))
    } else for (const name of source.columns) known.add(fold(name))
  }
  for (const cte of scope.ctes) for (const name of [cte.name, ...cte.columns]) known.add(fold(name))
  const inner = [
    ...scope.branches,
    ...scope.inner.map(({ query }) => query),
    ...scope.ctes.map(({ query }) => query),
    ...scope.sources.flatMap((source) => (source.kind === 'derived' ? [source.query] : [])),
  ]
  return inner.every((query) => collect(query, found))
}

const TOKEN =
  /--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|[\p{L}_][\p{L}\p{N}_$]*|\d[\w.]*|\S/gu

/** Names defined by the statement itself: after AS, or after the end of an expression. */
function aliasesIn(sql: string): readonly string[] {
  const tokens = [...sql.matchAll(TOKEN)].map(([token]) => token).filter((token) => !/^(?:--|\/\*)/.test(token))
  return tokens.flatMap((token, i) => {
    const before = tokens[i - 1] ?? ''
    const isName = /^[\p{L}_"`]/u.test(token)
    const isBehind = /^(?:as|end)$/i.test(before) || /^[)\]'"`\d]/.test(before) || isIdentifier(before)
    return isName && isBehind ? [token.replaceAll(/^["`]|["`]$/g, '')] : []
  })
}

const isIdentifier = (token: string): boolean => /^[\p{L}_]/u.test(token) && !BEFORE_EXPRESSION.has(fold(token))

const BEFORE_EXPRESSION: ReadonlySet<string> = new Set(
  'select distinct all by where and or not on having when then else case in like ilike between is from join using over limit offset filter qualify union except intersect values interval partition exists any some with recursive'.split(
    ' ',
  ),
)

const fold = (name: string): string => name.toLowerCase()

/**
 * Names that parsers, but not engines, treat as columns: date parts, current times and users, columns that every table
 * has.
 */
const BUILT_IN: ReadonlySet<string> = new Set(
  (
    'year years quarter month months week day days hour hours minute minutes second seconds millisecond microsecond nanosecond isoyear isoweek dow isodow doy epoch ' +
    'dayofweek dayofyear weekday decade century millennium current_date current_time current_timestamp localtime localtimestamp current_user session_user user sysdate ' +
    'rowid oid _rowid_ ctid xmin xmax tableoid rownum true false null unknown default all star * any'
  ).split(' '),
)
