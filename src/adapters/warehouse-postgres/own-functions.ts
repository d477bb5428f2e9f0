import type { Sql } from 'postgres'

/** Functions that neither the server nor an extension brought, as they are spelled: the server prefers one of them to a built-in that fits less well. */
export async function readOwnFunctions(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT DISTINCT p.proname AS name FROM pg_catalog.pg_proc p
    WHERE p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`
  return rows.map(({ name }) => name)
}
