import type { ReaderRole, RoleParts, RoleTable } from './dialect.ts'

export const ROLE = 'ken_reader'
/** Placeholder for the password, chosen by the person who runs the SQL. */
export const ROLE_PASSWORD = "'…'"
export const ROLE_VIEWS = 'ken_views'

/** For an engine that runs on this machine and has no users. */
export const noRoles = (): ReaderRole => ({
  instead:
    'it has no roles; Ken opens the file read-only, without other files, the network or a way to change a setting',
})

export const schemaGrants = ({ tables, quote }: RoleParts): readonly string[] =>
  [...new Set(tables.map(({ schema }) => quote(schema)))].map((schema) => `GRANT USAGE ON SCHEMA ${schema} TO ${ROLE}`)

/** Grants per table: on the whole table if nothing is hidden, otherwise on the visible columns. */
export function columnGrants(
  { tables, quote }: RoleParts,
  grant: (columns: string, table: string) => string = (columns, table) =>
    `GRANT SELECT${columns} ON ${table} TO ${ROLE}`,
): readonly string[] {
  return tables
    .filter(({ columns }) => columns.length > 0)
    .map(({ schema, name, columns, hidden }) =>
      grant(hidden.length === 0 ? '' : ` (${columns.map(quote).join(', ')})`, `${quote(schema)}.${quote(name)}`),
    )
}

/** A view per table with the visible columns, for engines without column grants. */
export function roleViews(parts: RoleParts, create: string, after = ''): readonly string[] {
  const { tables, quote } = parts
  return tables
    .filter(({ columns }) => columns.length > 0)
    .map(
      (table) =>
        `${create} ${roleView(table, parts)}${after} AS SELECT ${table.columns.map(quote).join(', ')} FROM ${quote(table.schema)}.${quote(table.name)}`,
    )
}

export const roleView = ({ name }: RoleTable, { quote }: RoleParts): string => `${ROLE_VIEWS}.${quote(name)}`
