import type { SqlDatabase } from '../../src/ports/sql-database.ts'

/** The database with all its tables and no rows. */
export async function emptied(database: SqlDatabase): Promise<SqlDatabase> {
  await database.transaction('server', async (sql) => {
    const tables = await sql.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'ken' AND tablename <> 'migrations'",
    )
    await sql.query(
      `DO $$ BEGIN SET LOCAL session_replication_role = replica; ${tables.map(({ name }) => `DELETE FROM ken.${name};`).join(' ')} END $$`,
    )
  })
  return database
}
