import { keep, kept, readKept } from '../../../kit/kept-text.ts'
import type { Statement } from './use-run-sql.ts'

const MOST = 50
const LONGEST = 20_000

const placeOf = (project: string): string => `ken.sql-history.${project}`

/** Statements run in this browser, newest first. */
export function readHistory(project: string): readonly Statement[] {
  const stored = readKept(kept(placeOf(project)))
  if (!Array.isArray(stored)) return []
  return stored.flatMap((one: Partial<Statement> | null) =>
    typeof one?.sql === 'string' && typeof one.database === 'string' ? [{ sql: one.sql, database: one.database }] : [],
  )
}

/** Puts a statement first, and returns the new list. Very long statements are not kept. */
export function remember(project: string, statement: Statement): readonly Statement[] {
  const others = readHistory(project).filter((one) => one.sql !== statement.sql || one.database !== statement.database)
  if (statement.sql.length > LONGEST) return others
  const next = [statement, ...others].slice(0, MOST)
  keep(placeOf(project), JSON.stringify(next))
  return next
}
