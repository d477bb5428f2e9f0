import type { SqlDatabase, SqlSession } from '../../ports/sql-database.ts'

export interface Erased {
  readonly table: string
  readonly rows: number
  /** Of the rows in whatever order: that of the same rows in a backup is the same. */
  readonly fingerprint: string
}

/** Stays: it says that something was done, never what was said, for as long as retention keeps it. */
const KEPT = 'audit_log'

/**
 * Deletes every row of a project, in every table that has a column for it, and takes its id out of the lists of tokens
 * and grants. All of it or nothing; says what was there. The tables come from the catalogue: one that comes later is in
 * it by itself.
 */
export const eraseProject = (database: SqlDatabase, project: string): Promise<readonly Erased[]> =>
  database.transaction('server', async (sql) => {
    await sql.query(
      "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)",
    )
    const places = await placesOf(sql)
    // Counted before anything goes: a row takes those with it that refer to it.
    const found: Erased[] = []
    for (const { table, column } of places) {
      const [row] = await sql.query<Omit<Erased, 'table'>>(
        `SELECT count(*) AS rows, coalesce(sum(hashtextextended(to_jsonb(t)::text, 0)), 0)::text AS fingerprint
         FROM ken."${table}" t WHERE t.${column} = $1`,
        [project],
      )
      if (row!.rows > 0) found.push({ table, ...row! })
    }
    for (const { table, column } of places)
      await sql.query(`DELETE FROM ken."${table}" WHERE ${column} = $1`, [project])
    for (const table of LISTS)
      await sql.query(`UPDATE ken.${table} SET projects = projects - $1::text WHERE projects ? $1::text`, [project])
    return found
  })

/** How many entries about a project the audit log keeps. */
export async function auditedOf(database: SqlDatabase, project: string): Promise<number> {
  const [row] = await database.transaction('server', (sql) =>
    sql.query<{ rows: number }>(`SELECT count(*) AS rows FROM ken.${KEPT} WHERE project = $1`, [project]),
  )
  return row!.rows
}

/** Lists of the projects that a token or a grant is for. */
const LISTS = ['tokens', 'oauth_grants']

interface Place {
  readonly table: string
  readonly column: 'project' | 'id'
}

async function placesOf(sql: SqlSession): Promise<readonly Place[]> {
  const found = await sql.query<{ table: string }>(
    `SELECT c.table_name::text AS table FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'ken' AND c.column_name = 'project' AND t.table_type = 'BASE TABLE' AND c.table_name <> $1
     ORDER BY 1`,
    [KEPT],
  )
  return [...found.map(({ table }) => ({ table, column: 'project' as const })), { table: 'projects', column: 'id' }]
}
