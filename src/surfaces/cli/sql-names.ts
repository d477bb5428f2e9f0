import { completeSql, type Completion, type CompletionNames } from '../../context/domain/sql/complete-sql.ts'
import { allowedTables } from '../../context/operations/sql-scope.ts'
import { unknownName } from '../../kernel/domain/close-match.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import type { Context } from '../../operations/context.ts'

interface SqlNames {
  complete(database: string, text: { readonly before: string; readonly after: string }): Promise<Completion>
  /** Throws for a database that is not in ken.yaml. */
  check(database: string): Promise<void>
}

/** The compiled tables and columns for completion; read once per database. */
export function openSqlNames(ctx: Pick<Context, 'contextProject'>): SqlNames {
  const known = new Map<string, Promise<CompletionNames>>()
  return {
    async complete(database, { before, after }) {
      const names = known.get(database) ?? readNames(ctx, database)
      known.set(database, names)
      names.catch(() => known.delete(database))
      return completeSql(before, after, await names)
    },
    async check(database) {
      const { databases } = (await ctx.contextProject()).config
      if (databases.every(({ name }) => name !== database))
        throw unknownName(
          'database',
          database,
          databases.map(({ name }) => name),
        )
    },
  }
}

async function readNames(ctx: Pick<Context, 'contextProject'>, database: string): Promise<CompletionNames> {
  const project = await ctx.contextProject()
  const type = project.config.databases.find(({ name }) => name === database)?.type ?? ''
  // A name that could control the terminal is not offered: completion prints names unescaped.
  const isSafe = (name: string): boolean => visible(name) === name && !/[\n\t]/.test(name)
  const tables = (await allowedTables(project, database, { reader: 'person' }))
    .filter(({ name, schema }) => isSafe(name) && isSafe(schema))
    .map(({ schema, name, columns }) => ({ schema, name, columns: columns.filter(isSafe) }))
  return { tables, folds: FOLDS[type] ?? 'none', quote: QUOTES[type] ?? doubleQuoted }
}

const FOLDS: Readonly<Record<string, CompletionNames['folds']>> = {
  postgres: 'lower',
  redshift: 'lower',
  snowflake: 'upper',
}

const doubleQuoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const backQuoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Identifier quotes by dialect; the warehouse is not opened for this. */
const QUOTES: Readonly<Record<string, (name: string) => string>> = {
  mysql: backQuoted,
  bigquery: backQuoted,
  databricks: backQuoted,
}
