import type { SqlDialect } from './name-traits.ts'
import type { AllowedTable } from './policy.ts'

export interface WallParts {
  readonly tables: readonly AllowedTable[]
  quote(identifier: string): string
}

/**
 * What a person with the rights runs once, so that the engine itself keeps Ken to the context; or why there is nothing
 * to run.
 */
export type SecondWall = { readonly sql: readonly string[] } | { readonly instead: string }

export const secondWall = (dialect: SqlDialect, parts: WallParts): SecondWall => WALLS[dialect](parts)

const ROLE = 'ken_reader'
const SECRET = "'…'"
const VIEWS = 'ken_views'

const inProcess = (): SecondWall => ({
  instead:
    'it has no roles; Ken opens the file read-only, without other files, the network or a way to change a setting',
})

const WALLS: Readonly<Record<SqlDialect, (parts: WallParts) => SecondWall>> = {
  duckdb: inProcess,
  sqlite: inProcess,
  postgres: (parts) => ({
    sql: [
      `CREATE ROLE ${ROLE} LOGIN PASSWORD ${SECRET} NOSUPERUSER NOCREATEDB NOCREATEROLE`,
      `ALTER ROLE ${ROLE} SET default_transaction_read_only = on`,
      ...schemasOf(parts).map((schema) => `GRANT USAGE ON SCHEMA ${schema} TO ${ROLE}`),
      ...columnGrants(parts, (columns, table) => `GRANT SELECT${columns} ON ${table} TO ${ROLE}`),
    ],
  }),
  redshift: (parts) => ({
    sql: [
      `CREATE USER ${ROLE} PASSWORD ${SECRET}`,
      ...schemasOf(parts).map((schema) => `GRANT USAGE ON SCHEMA ${schema} TO ${ROLE}`),
      ...columnGrants(parts, (columns, table) => `GRANT SELECT${columns} ON ${table} TO ${ROLE}`),
    ],
  }),
  mysql: (parts) => ({
    sql: [
      `CREATE USER '${ROLE}'@'%' IDENTIFIED BY ${SECRET}`,
      ...columnGrants(parts, (columns, table) => `GRANT SELECT${columns} ON ${table} TO '${ROLE}'@'%'`),
    ],
  }),
  mssql: (parts) => ({
    sql: [
      `CREATE LOGIN ${ROLE} WITH PASSWORD = ${SECRET}`,
      `CREATE USER ${ROLE} FOR LOGIN ${ROLE}`,
      ...columnGrants(parts, (columns, table) => `GRANT SELECT ON OBJECT::${table}${columns} TO ${ROLE}`),
    ],
  }),
  clickhouse: (parts) => ({
    sql: [
      `CREATE USER ${ROLE} IDENTIFIED BY ${SECRET} SETTINGS readonly = 1`,
      ...columnGrants(parts, (columns, table) => `GRANT SELECT${columns.trimStart()} ON ${table} TO ${ROLE}`),
    ],
  }),
  snowflake: (parts) => ({
    sql: [
      `CREATE ROLE ${ROLE}`,
      `CREATE SCHEMA ${VIEWS}`,
      ...viewsOf(parts, 'CREATE SECURE VIEW'),
      `GRANT USAGE ON SCHEMA ${VIEWS} TO ROLE ${ROLE}`,
      `GRANT SELECT ON ALL VIEWS IN SCHEMA ${VIEWS} TO ROLE ${ROLE}`,
    ],
  }),
  databricks: (parts) => ({
    sql: [
      `CREATE SCHEMA ${VIEWS}`,
      ...viewsOf(parts, 'CREATE VIEW'),
      `GRANT USE SCHEMA, SELECT ON SCHEMA ${VIEWS} TO \`${ROLE}\``,
    ],
  }),
  bigquery: (parts) => ({
    sql: [
      `CREATE SCHEMA ${VIEWS}`,
      ...viewsOf(parts, 'CREATE VIEW'),
      `GRANT \`roles/bigquery.dataViewer\` ON SCHEMA ${VIEWS} TO 'serviceAccount:…'`,
    ],
  }),
  trino: (parts) => ({
    sql: [
      `CREATE SCHEMA ${VIEWS}`,
      ...viewsOf(parts, 'CREATE VIEW', ' SECURITY DEFINER'),
      ...parts.tables
        .filter(({ columns }) => columns.length > 0)
        .map((table) => `GRANT SELECT ON ${viewName(table, parts)} TO ROLE ${ROLE}`),
    ],
  }),
  athena: () => ({
    instead: 'its rights are kept outside of SQL: give the role of Ken the columns of the context in Lake Formation',
  }),
}

const schemasOf = ({ tables, quote }: WallParts): readonly string[] => [
  ...new Set(tables.map(({ schema }) => quote(schema))),
]

/** A grant per table: on all of it when nothing is hidden, else on the columns that are not. */
function columnGrants(
  { tables, quote }: WallParts,
  grant: (columns: string, table: string) => string,
): readonly string[] {
  return tables
    .filter(({ columns }) => columns.length > 0)
    .map(({ schema, name, columns, hidden }) =>
      grant(hidden.length === 0 ? '' : ` (${columns.map(quote).join(', ')})`, `${quote(schema)}.${quote(name)}`),
    )
}

function viewsOf(parts: WallParts, create: string, after = ''): readonly string[] {
  const { tables, quote } = parts
  return tables
    .filter(({ columns }) => columns.length > 0)
    .map(
      (table) =>
        `${create} ${viewName(table, parts)}${after} AS SELECT ${table.columns.map(quote).join(', ')} FROM ${quote(table.schema)}.${quote(table.name)}`,
    )
}

const viewName = ({ name }: AllowedTable, { quote }: WallParts): string => `${VIEWS}.${quote(name)}`
