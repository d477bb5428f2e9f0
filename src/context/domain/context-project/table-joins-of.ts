import type { CompiledTable } from './manifest.ts'

/** A join, from the point of view of one table. */
interface TableJoin {
  /** `out`: this table refers to the other one. */
  readonly direction: 'out' | 'in'
  /** `schema.name` of the other table. */
  readonly table: string
  readonly columns: readonly string[]
  /** Columns of the other table, in the same order. */
  readonly referenced: readonly string[]
  readonly declared: boolean
  readonly about: string
}

/**
 * A table's joins with the other tables of its database: its own foreign keys, foreign keys that refer to it, and
 * inferred joins.
 */
export function joinsOf(table: CompiledTable, all: readonly CompiledTable[]): readonly TableJoin[] {
  const name = nameOf(table)
  const others = all.filter((one) => one.connection === table.connection && nameOf(one) !== name)
  const own = joinsFrom(table).map((join) => ({ ...join, direction: 'out' as const }))
  const back = others.flatMap((other) =>
    joinsFrom(other)
      .filter((join) => join.table === name)
      .map((join) => ({
        ...join,
        direction: 'in' as const,
        table: nameOf(other),
        columns: join.referenced,
        referenced: join.columns,
      })),
  )
  return [...own, ...back]
}

const joinsFrom = (table: CompiledTable): readonly Omit<TableJoin, 'direction'>[] => [
  ...table.foreign_keys.map((key) => ({
    table: key.table,
    columns: key.columns,
    referenced: key.referenced,
    declared: true,
    about: key.unique ? '1:1' : 'n:1',
  })),
  ...(table.inferred_joins ?? []).map((join) => ({
    table: join.table,
    columns: [join.column],
    referenced: [join.referenced],
    declared: false,
    about: join.about,
  })),
]

const nameOf = ({ schema, name }: CompiledTable): string => `${schema}.${name}`
