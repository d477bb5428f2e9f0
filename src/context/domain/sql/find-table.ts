import type { NameTraits } from './dialect.ts'
import { type AllowedTable, listed, OutsideContext } from './policy.ts'
import type { NameRules } from './statement.ts'

export interface TableRules {
  readonly allowed: readonly AllowedTable[]
  readonly names: NameRules
  readonly traits: NameTraits
}

/** Table of the context that the engine would resolve a name to. Throws if it would or might resolve to another. */
export function findTable(path: readonly string[], { allowed, names, traits }: TableRules): AllowedTable {
  const [name = '', schema, database] = path.toReversed()
  const [first, ...later] = names.searchPath
  const same = (a: string, b: string): boolean => sameTable(a, b, names)
  const called = path.length > 3 ? [] : allowed.filter((table) => same(table.name, name))
  const inSchema = (wanted: string | undefined): AllowedTable | undefined =>
    wanted === undefined ? undefined : called.find((table) => same(table.schema, wanted))
  const found =
    schema === undefined
      ? traits.hiddenSchema?.test(name)
        ? undefined
        : inSchema(first)
      : database === undefined
        ? (inSchema(schema) ??
          (traits.databaseBeforeTable
            ? called.find((table) => same(table.database, schema) && same(table.schema, first ?? ''))
            : undefined))
        : called.find((table) => same(table.schema, schema) && same(table.database, database))
  if (found) return found
  const behind = schema === undefined ? later.map(inSchema).find((table) => table !== undefined) : undefined
  if (behind) throw new OutsideContext('table', `${name} may be a table of ${first}`, `Write ${fullName(behind)}.`)
  throw new OutsideContext(
    'table',
    `${path.join('.')} is not a table of the context`,
    `Tables that may be read: ${listed(allowed.map(fullName))}.`,
  )
}

/** Case-insensitive engines ignore case for ASCII only. */
const sameTable = (a: string, b: string, { exactCase }: NameRules): boolean =>
  tableKey(a, exactCase) === tableKey(b, exactCase)

export const tableKey = (name: string, exactCase: boolean): string =>
  exactCase ? name : name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

const fullName = (table: AllowedTable): string => `${table.schema}.${table.name}`
