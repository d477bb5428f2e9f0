import type { SqlScope, SqlSession } from '../kernel/ports/sql-database.ts'

/** Role that row-level security restricts to the rows of one project or person. It cannot log in. */
export const TENANT_ROLE = 'ken_tenant'

/** Restricts the transaction that has just begun to its scope, until it ends. */
export async function enterScope(sql: SqlSession, scope: SqlScope): Promise<void> {
  if (scope === 'server') return
  const { project = '', person = '' } = scope as { project?: string; person?: string }
  await sql.query(
    `SELECT set_config('ken.project', $1, true), set_config('ken.person', $2, true), set_config('role', '${TENANT_ROLE}', true)`,
    [project, person],
  )
}
