import { hiddenAmong } from '../domain/context-project/name-glob.ts'
import { isTaken } from '../domain/context-project/name-glob.ts'
import type { AllowedTable } from '../domain/sql/policy.ts'
import type { SecretTable } from '../domain/sql/secret-columns.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { compiledTables } from './list-tables.ts'

/**
 * Tables of a database that SQL may read: those compiled, minus the tables and columns that ken.yaml now excludes or
 * hides.
 */
export async function allowedTables(
  project: ContextProject,
  name: string,
): Promise<readonly (AllowedTable & SecretTable)[]> {
  const config = project.config.databases.find((database) => database.name === name) ?? { include: [], exclude: ['*'] }
  const tables = (await compiledTables(project))
    .map(({ table }) => table)
    .filter((table) => table.connection === name && isTaken(`${table.schema}.${table.name}`, config))
  return tables.map((table) => {
    const columns = table.columns.map((column) => column.name)
    const hidden = [...new Set([...table.hidden, ...hiddenAmong([...columns, ...table.hidden], table, config)])]
    return {
      database: table.database,
      schema: table.schema,
      name: table.name,
      columns: columns.filter((column) => !hidden.includes(column)),
      hidden,
      secret: table.secret,
      isView: table.kind !== 'table',
    }
  })
}
