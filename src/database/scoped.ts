import type { SqlScope } from '../kernel/ports/sql-database.ts'

/** Role that row-level security restricts to the rows of one project or person. The role cannot log in. */
export const TENANT_ROLE = 'ken_tenant'

/**
 * Role of the `server` scope if the server logs in as a role that does not own the tables. It reads and writes
 * everybody's rows, changes no table, and cannot log in.
 */
export const SERVER_ROLE = 'ken_server'

export const AS_SERVER = `SELECT set_config('role', '${SERVER_ROLE}', true)`

/** The statement that restricts the transaction that has just begun to its scope, until it ends; empty for `server`. */
export function scopeStatement(scope: SqlScope): string {
  if (scope === 'server') return ''
  const { project = '', person = '' } = scope as { project?: string; person?: string }
  return `SELECT set_config('ken.project', ${literal(project)}, true), set_config('ken.person', ${literal(person)}, true), set_config('role', '${TENANT_ROLE}', true)`
}

/** Quotes a text as SQL; the `E` form has the same meaning with any server setting. */
function literal(text: string): string {
  if (text.includes('\0')) throw new RangeError('an id contains no NUL')
  return ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
