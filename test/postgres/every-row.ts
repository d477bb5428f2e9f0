import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'

/**
 * All rows of every Ken table except the migrations, as text in a fixed order. Queries the catalogue independently, so
 * that it finds tables missing from a backup.
 */
export async function everyRow(
  database: SqlDatabase,
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  return database.transaction('server', async (sql) => {
    const tables = await sql.query<{ name: string }>(
      "SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'ken' AND table_type = 'BASE TABLE' AND table_name <> 'migrations' ORDER BY 1",
    )
    const found: Record<string, readonly string[]> = {}
    for (const { name } of tables) {
      const rows = await sql.query<{ row: string }>(
        `SELECT (to_jsonb(t) - $1::text[])::text AS row FROM ken."${name}" t ORDER BY 1`,
        [`{${without.join(',')}}`],
      )
      found[name] = rows.map(({ row }) => row)
    }
    return found
  })
}
