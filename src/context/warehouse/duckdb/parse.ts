import type { DuckDBConnection } from '@duckdb/node-api'
import { described, draftStatement, finishStatement, type StatementDraft } from '../../domain/sql/statement-draft.ts'
import { unreadable, whyUnreadable, type ParsedSql } from '../../domain/sql/statement.ts'
import { fromDuckdbTree } from './from-duckdb-tree.ts'
import { pivotWithValues } from './pivot.ts'

/** Parses SQL for one file. The file cannot be written while it is open, so its macros are read once. */
export function openDuckdbParser(): (sql: string, connection: DuckDBConnection) => Promise<ParsedSql> {
  let macros: Promise<readonly string[]> | undefined
  return async (sql, connection) => {
    macros ??= readOwnFunctions(connection)
    macros.catch(() => (macros = undefined))
    return parseDuckdb(sql, connection, await macros)
  }
}

/**
 * Uses DuckDB's parser: `json_serialize_sql` returns the tree of any query without running it, and rejects everything
 * else.
 */
async function parseDuckdb(
  sql: string,
  connection: DuckDBConnection,
  ownFunctions: readonly string[],
): Promise<ParsedSql> {
  try {
    const names = { searchPath: ['main'], exactCase: false, ownFunctions }
    const tree = await serialize(sql, connection)
    const drafts = tree.error ? await readOther(sql, tree, connection) : fromDuckdbTree(tree)
    if (typeof drafts === 'string') return unreadable(drafts)
    for (const draft of drafts) await dropKnownTables(draft, connection)
    return { statements: drafts.map((draft) => finishStatement(draft, sql, names)), error: undefined }
  } catch (error) {
    return unreadable(whyUnreadable(error))
  }
}

interface SerializedSql {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
}

async function serialize(sql: string, connection: DuckDBConnection): Promise<SerializedSql> {
  const [row] = (await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql])).getRowsJS()
  return JSON.parse(String(row?.[0])) as SerializedSql
}

/** EXPLAIN of a query, and read-only pragmas; other statements are named by their first word. */
async function readOther(
  sql: string,
  failed: SerializedSql,
  connection: DuckDBConnection,
): Promise<readonly StatementDraft[] | string> {
  if (failed.error_type === 'parser') return failed.error_message ?? 'it cannot be parsed'
  // With IMPORT DATABASE even this call tries to read its files, which is rejected.
  const count = await connection.extractStatements(sql).then(
    (statements) => statements.count,
    () => 1,
  )
  const start = sql.replace(LEADING_COMMENTS, '')
  const verb = /^[(;\s]*(\w+)/.exec(start)?.[1]?.toUpperCase() ?? ''
  const pivoted = count === 2 && QUERY_VERBS.has(verb) ? pivotWithValues(sql) : undefined
  const pivot = pivoted === undefined ? undefined : await serialize(pivoted, connection)
  if (pivot && !pivot.error) return fromDuckdbTree(pivot)
  const explained = count === 1 ? EXPLAIN.exec(start)?.[1] : undefined
  const tree = explained === undefined ? undefined : await serialize(explained, connection)
  if (tree && !tree.error) return fromDuckdbTree(tree).map((draft) => ({ ...draft, kind: 'explain' as const }))
  if (count === 1 && TELLING_PRAGMA.test(start)) return [readPragma(start)]
  return Array.from({ length: count }, () => ({ ...draftStatement(), kind: 'other' as const, verb }))
}

const QUERY_VERBS = new Set(['PIVOT', 'PIVOT_WIDER', 'SELECT', 'WITH', 'FROM'])
const LEADING_COMMENTS = /^(?:\s|--[^\n\r]*[\n\r]|\/\*[^*]*\*\/)+/
const EXPLAIN = /^EXPLAIN\b(?:\s+ANALYZE\b)?(?:\s*\(\s*(?:FORMAT|ANALYZE)\b[^()]*\))?(.*)$/is
const TELLING =
  'table_info|show|show_tables|show_tables_expanded|show_databases|database_list|database_size|version|platform|functions|collations'
const TELLING_PRAGMA = new RegExp(String.raw`^PRAGMA\s+(?:${TELLING})\s*(?:\(\s*'[^']*'\s*\))?\s*;?\s*$`, 'i')

/** A pragma about one table is allowed if the table has no hidden columns. */
function readPragma(text: string): StatementDraft {
  const [, name = '', table] = /^PRAGMA\s+(\w+)\s*(?:\(\s*'([^']*)'\s*\))?/i.exec(text) ?? []
  const draft: StatementDraft = { ...draftStatement(), kind: 'show', verb: `PRAGMA ${name.toLowerCase()}` }
  if (/^(version|platform)$/i.test(name)) return draft
  if (table === undefined || !/^\w+$/.test(table)) return { ...draft, listsCatalogue: true }
  return { ...draft, scope: described([table]) }
}

/** Macros of the file take precedence over built-ins of the same name. */
async function readOwnFunctions(connection: DuckDBConnection): Promise<readonly string[]> {
  const found = await connection.runAndReadAll(
    'SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE NOT internal',
  )
  return found.getRowsJS().map((row) => String(row[0]))
}

/** A name that looks like a file is a table if the catalogue has one of that name. */
async function dropKnownTables(draft: StatementDraft, connection: DuckDBConnection): Promise<void> {
  for (const name of draft.externals) {
    const found = await connection.runAndReadAll(
      'SELECT 1 FROM duckdb_tables() WHERE lower(table_name) = lower($1) UNION ALL SELECT 1 FROM duckdb_views() WHERE lower(view_name) = lower($1)',
      [name],
    )
    if (found.currentRowCount > 0) draft.externals.delete(name)
  }
}
