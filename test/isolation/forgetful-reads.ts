import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import type { World } from './tenants.ts'

/**
 * Others' data that a transaction of each project sees in all tables that tenants may read, queried without an owner
 * filter: `table: mark`. Empty if the database itself isolates them.
 */
export async function forgetfulReads(database: SqlDatabase, { projects, callers }: World): Promise<readonly string[]> {
  const tables = await database.transaction('server', (sql) =>
    sql.query<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'ken'::regnamespace
         AND relkind IN ('r', 'p', 'v', 'm') AND has_table_privilege('ken_tenant', oid, 'SELECT')`,
    ),
  )
  const found = new Set<string>()
  for (const { id, organisation } of projects) {
    const person = callers.find((caller) => caller.organisation === organisation)!.person
    const others = projects.filter((project) => project.id !== id).map(({ mark }) => mark)
    for (const { name } of tables) {
      const rows = await database.transaction({ project: id, person }, (sql) =>
        sql.query<{ row: string }>(`SELECT to_jsonb(r)::text AS row FROM ken."${name}" r`),
      )
      for (const { row } of rows) for (const mark of others) if (row.includes(mark)) found.add(`${name}: ${mark}`)
    }
  }
  return [...found]
}
