import type { Sql } from 'postgres'
import type { NameRules } from '../../../core/sql/statement.ts'

/**
 * Functions that neither the server nor an extension brought, as they are spelled: the server prefers one of them to a
 * built-in that fits less well. And the tables, whose rows are types.
 */
export async function readOwnNames(sql: Sql): Promise<Required<Pick<NameRules, 'ownFunctions' | 'rowTypes'>>> {
  const rows = await sql<{ kind: string; name: string }[]>`
    SELECT DISTINCT 'function' AS kind, p.proname AS name FROM pg_catalog.pg_proc p
    WHERE p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    UNION SELECT 'table', c.relname FROM pg_catalog.pg_class c WHERE c.reltype <> 0 AND c.relkind <> 'c'`
  const named = (kind: string): readonly string[] => rows.filter((row) => row.kind === kind).map(({ name }) => name)
  return { ownFunctions: named('function'), rowTypes: named('table') }
}
