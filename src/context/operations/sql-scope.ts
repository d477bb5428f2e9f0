import type { CompiledTable } from '../domain/context-project/manifest.ts'
import { hiddenAmong } from '../domain/context-project/name-glob.ts'
import { isTaken } from '../domain/context-project/name-glob.ts'
import { maskedColumns, refusedColumns } from '../domain/personal/masked-columns.ts'
import type { SqlDialect } from '../domain/sql/dialect.ts'
import { judgeStatement } from '../domain/sql/judge-statement.ts'
import type { AllowedTable, SqlVerdict } from '../domain/sql/policy.ts'
import { everyScope, type SecretTable } from '../domain/sql/secret-columns.ts'
import type { ParsedSql, ParsedStatement } from '../domain/sql/statement.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { tablesIn } from './list-tables.ts'

export type Reader = 'person' | 'model'

/**
 * Tables of a database that SQL may read: those compiled, minus the tables and columns that ken.yaml now excludes or
 * hides. If `names` are given, at least the tables with these names.
 */
export async function allowedTables(
  project: ContextProject,
  name: string,
  { names, reader = 'model' }: { readonly names?: readonly string[]; readonly reader?: Reader } = {},
): Promise<readonly (AllowedTable & SecretTable)[]> {
  const config = project.config.databases.find((database) => database.name === name) ?? NOTHING
  const { personal } = config
  const compiled = (await compiledNamed(project, names)).filter(({ connection }) => connection === name)
  const tables = compiled.filter((table) => isTaken(`${table.schema}.${table.name}`, config))
  return tables.map((table) => {
    const columns = table.columns.map((column) => column.name)
    const refused = reader === 'person' ? [] : refusedColumns(table, compiled, personal)
    const hidden = [
      ...new Set([...table.hidden, ...hiddenAmong([...columns, ...table.hidden], table, config), ...refused]),
    ]
    return {
      database: table.database,
      schema: table.schema,
      name: table.name,
      columns: columns.filter((column) => !hidden.includes(column)),
      hidden,
      secret: table.secret,
      personal: reader === 'person' ? [] : maskedColumns(table, compiled, personal),
      isView: table.kind !== 'table',
    }
  })
}

/** Tables with these names, and those that their views read. */
async function compiledNamed(
  project: ContextProject,
  names: readonly string[] | undefined,
): Promise<readonly CompiledTable[]> {
  const tables = tablesIn(await project.tree.load(names)).map(({ table }) => table)
  const known = new Set(names?.map((name) => name.toLowerCase()))
  const below = names === undefined ? [] : tables.flatMap(({ reads = [] }) => reads.filter((name) => !known.has(name)))
  return below.length === 0 ? tables : compiledNamed(project, [...names!, ...new Set(below)])
}

const NOTHING = { include: [], exclude: ['*'], personal: 'mask' } as const

interface Judged {
  readonly verdict: SqlVerdict
  /** Tables of the statement, or all readable ones if it was refused. */
  readonly tables: readonly (AllowedTable & SecretTable)[]
}

/** Judges a statement by the tables it names; all others are read only to list them in a refusal. */
export async function judgeInContext(
  project: ContextProject,
  {
    database,
    parsed,
    dialect,
    reader = 'model',
  }: { database: string; parsed: ParsedSql; dialect: SqlDialect; reader?: Reader },
): Promise<Judged> {
  const [statement] = parsed.statements
  const names = statement === undefined ? [] : namesIn(statement)
  const tables = await allowedTables(project, database, { names, reader })
  const verdict = judgeStatement(parsed, { dialect, tables })
  if (verdict.allowed || verdict.code !== 'table') return { verdict, tables }
  const all = await allowedTables(project, database, { reader })
  return { verdict: judgeStatement(parsed, { dialect, tables: all }), tables: all }
}

/** Names that may be tables: the ones it reads from, and the types of its casts, which may be row types of tables. */
const namesIn = ({ scope, types }: ParsedStatement): readonly string[] => {
  const sources = everyScope(scope).flatMap((one) => one.sources)
  const read = sources.flatMap((source) => (source.kind === 'table' ? [source.name.at(-1) ?? ''] : []))
  return [...new Set([...read, ...types])]
}
