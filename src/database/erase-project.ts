import type { SqlDatabase } from '../kernel/ports/sql-database.ts'
import { eraseRows, tablesWith, type Erased } from './erase-rows.ts'

/** Kept: it records that something was done, never its content, while retention keeps it. */
const KEPT = 'audit_log'

/**
 * Deletes every row of a project, in every table that has a column for it, and removes its id from the lists of tokens
 * and grants. Atomic; returns a summary of the deleted rows. The tables come from the catalogue, so that new ones are
 * included automatically.
 */
export const eraseProject = (database: SqlDatabase, project: string): Promise<readonly Erased[]> =>
  database.transaction('server', async (sql) => {
    const tables = await tablesWith(sql, 'project', [KEPT])
    const found = await eraseRows(sql, [
      ...tables.map((table) => ({ table, where: 't.project = $1', values: [project] })),
      { table: 'projects', where: 't.id = $1', values: [project] },
    ])
    for (const table of LISTS)
      await sql.query(`UPDATE ken.${table} SET projects = projects - $1::text WHERE projects ? $1::text`, [project])
    return found
  })

/** Tables with lists of the projects that a token or a grant is for. */
const LISTS = ['tokens', 'oauth_grants']
