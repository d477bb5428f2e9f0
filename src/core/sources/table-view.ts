import type { ForeignKey, TableDetails, TableRef } from '../sql/catalogue.ts'
import type { Cell } from '../sql/query.ts'
import { ellipsis } from '../text.ts'

/** A table as the templates see it; hidden columns are not there at all. */
export function tableView(
  table: TableDetails,
  more: { readonly dialect: string; readonly hidden: readonly string[] },
): Readonly<Record<string, unknown>> {
  const isShown = (name: string): boolean => !more.hidden.includes(name)
  return {
    name: table.name,
    schema: table.schema,
    database: table.database,
    dialect: more.dialect,
    full_name: `${table.schema}.${table.name}`,
    kind: table.kind,
    comment: table.comment ?? null,
    columns: table.columns
      .filter(({ name }) => isShown(name))
      .map((column) => ({
        name: column.name,
        type: column.type,
        nullable: column.nullable,
        default: column.default ?? null,
        comment: column.comment ?? null,
        key: keyOf(column.name, table),
        about: [
          column.comment,
          column.default === undefined ? undefined : `default ${ellipsis(column.default, LONGEST_DEFAULT)}`,
        ]
          .filter(Boolean)
          .join(' · '),
      })),
    primary_key: table.primaryKey,
    foreign_keys: table.foreignKeys
      .filter((key) => key.columns.every(isShown))
      .map((key) => ({ ...key, on: joinText(table, key) })),
    indexes: table.indexes,
    partitions: table.partitions,
    rows: table.rows ?? null,
    view_sql: table.viewSql?.trim() ?? null,
  }
}

const LONGEST_DEFAULT = 120
const LONGEST_CELL = 80

/** A value as a cell of a preview. */
export const shownCell = (cell: Cell): string => (cell === null ? '' : ellipsis(String(cell), LONGEST_CELL))

function keyOf(column: string, table: TableDetails): string {
  const own = table.primaryKey.includes(column) ? ['primary'] : []
  const foreign = table.foreignKeys
    .filter((key) => key.columns.includes(column))
    .map((key) => `→ ${key.references.name}.${key.referenced[key.columns.indexOf(column)] ?? ''}`)
  return [...own, ...foreign].join(', ')
}

const joinText = (from: TableRef, key: ForeignKey): string =>
  key.columns
    .map((column, i) => `${from.name}.${column} = ${key.references.name}.${key.referenced[i] ?? column}`)
    .join(' AND ')
