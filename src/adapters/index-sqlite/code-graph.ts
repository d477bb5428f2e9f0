import { importsFile } from '../../core/search/imports-file.ts'
import type { CodeOutline, DefinitionKind } from '../../core/search/code-outline.ts'
import type { Scope } from '../../core/search/indexed-document.ts'
import type { CodeGraph, CodeUse, SymbolPlace } from '../../ports/code-graph.ts'
import type { IndexDatabase } from './database.ts'

export function openCodeGraph(database: IndexDatabase): CodeGraph {
  const places = (within: Scope['within'], where: string, ...values: (string | number)[]) => {
    const ours = insideOf(within)
    return database.rows(`SELECT s.name, s.kind, s.within, d.path, s.start_line, s.end_line FROM symbol s JOIN document d ON d.id = s.document WHERE ${ours.sql} AND ${where}`, ...ours.values, ...values).map(toPlace)
  }
  return {
    async symbols(name, limit, within) {
      const exact = places(within, 's.name = ? ORDER BY d.path, s.start_line LIMIT ?', name, limit)
      return exact.length > 0 ? exact : places(within, 's.name >= ? AND s.name < ? ORDER BY s.name, d.path LIMIT ?', name, `${name}\u{10ffff}`, limit)
    },
    definedIn: async (path, within) => places(within, 'd.path = ? ORDER BY s.start_line', path),
    async callers(name, within) {
      const { sql, values } = insideOf(within)
      return usesOf(database, database.rows(`SELECT d.path, c.document, c.line FROM code_call c JOIN document d ON d.id = c.document WHERE ${sql} AND c.name = ? ORDER BY d.path, c.line`, ...values, name))
    },
    async importers(path, within) {
      const { sql, values } = insideOf(within)
      const rows = database.rows(`SELECT d.path, i.document, i.line, i.module FROM code_import i JOIN document d ON d.id = i.document WHERE ${sql} ORDER BY d.path, i.line`, ...values)
      return usesOf(database, rows.filter(([importer, , , module]) => importsFile(String(importer), String(module), path)))
    },
    async files(ending, within) {
      const { sql, values } = insideOf(within)
      return database.rows(`SELECT DISTINCT path FROM document d WHERE ${sql} AND origin = 'code' AND (path = ? OR substr(path, -length(?) - 1) = '/' || ?) ORDER BY path`, ...values, ending, ending, ending).map(([path]) => String(path))
    },
  }
}

/** Code belongs to a workspace and to no project. */
const insideOf = (within: Scope['within']): { sql: string; values: string[] } =>
  within === undefined ? { sql: '1', values: [] } : { sql: 'd.project_hash IN (SELECT value FROM json_each(?))', values: [JSON.stringify(within.workspaces)] }

export function insertOutline(database: IndexDatabase, document: number, outline: CodeOutline): void {
  for (const { name, kind, within, startLine, endLine } of outline.definitions) database.run('INSERT INTO symbol VALUES (?, ?, ?, ?, ?, ?)', document, name, kind, JSON.stringify(within), startLine, endLine)
  for (const { module, line } of outline.imports) database.run('INSERT INTO code_import VALUES (?, ?, ?)', document, module, line)
  for (const { name, line } of outline.calls) database.run('INSERT INTO code_call VALUES (?, ?, ?)', document, name, line)
}

export function forgetOutline(database: IndexDatabase, document: number): void {
  for (const table of ['symbol', 'code_import', 'code_call']) database.run(`DELETE FROM ${table} WHERE document = ?`, document)
}

/** The innermost definition around each line. */
function usesOf(database: IndexDatabase, rows: readonly unknown[][]): CodeUse[] {
  return (rows as [string, number, number][]).map(([path, document, line]) => {
    const [inside] = database.rows('SELECT name FROM symbol WHERE document = ? AND start_line <= ? AND end_line >= ? ORDER BY start_line DESC LIMIT 1', document, line, line)[0] ?? []
    return { path, line, inside: inside === undefined ? undefined : String(inside) }
  })
}

function toPlace(row: readonly unknown[]): SymbolPlace {
  const [name, kind, within, path, startLine, endLine] = row as [string, DefinitionKind, string, string, number, number]
  return { name, kind, within: JSON.parse(within) as string[], path, startLine, endLine }
}
