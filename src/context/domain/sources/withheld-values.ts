import type { Column, TableDetails } from '../sql/catalogue.ts'
import type { Profile, ProfiledColumn } from './table-profile.ts'

interface KnownTable {
  readonly table: TableDetails
  readonly profile: Profile
}

/**
 * Removes every value of the withheld columns. Every document and the manifest are written from this result, so this
 * function alone decides what may be disclosed about such a column: the number of present and missing values, and the
 * structure of nested ones.
 */
export function withoutWithheld<T extends KnownTable>(known: T, withheld: ReadonlySet<string>): T {
  if (withheld.size === 0) return known
  const { table, profile } = known
  return {
    ...known,
    table: {
      ...table,
      columns: table.columns.map((column) => (withheld.has(column.name) ? bareColumn(column) : column)),
      checks: (table.checks ?? []).filter((check) => !check.columns.some((name) => withheld.has(name))),
    },
    profile: {
      ...profile,
      columns: profile.columns.map((column) => (withheld.has(column.name) ? bareFacts(column) : column)),
    },
  }
}

const bareColumn = ({ name, type, base, nullable, comment }: Column): Column => ({
  name,
  type,
  base,
  nullable,
  comment,
  default: undefined,
})

const bareFacts = ({ name, type, nulls, null_percent, distinct, empty, keys }: ProfiledColumn): ProfiledColumn => ({
  name,
  type,
  nulls,
  null_percent,
  distinct,
  ...(empty !== undefined && { empty }),
  ...(keys !== undefined && { keys }),
})
