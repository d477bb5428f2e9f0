import { evidenceText, type MeasuredJoin } from '../schema/join-evidence.ts'
import type { TableRef } from '../sql/catalogue.ts'

/** Joins of a table besides its own foreign keys. */
export interface JoinsOfTable {
  /** Foreign keys of other tables that refer to this one. */
  readonly referredBy: readonly {
    readonly from: TableRef
    readonly columns: readonly string[]
    readonly referenced: readonly string[]
  }[]
  readonly inferred: readonly MeasuredJoin[]
  readonly inferredBy: readonly MeasuredJoin[]
}

// Hundreds of tables refer to the hub of a warehouse; joins.md lists all of them.
const MOST_SHOWN = 40

/** Incoming and undeclared joins of a table, for the templates; its own keys are listed before them. */
export function joinsView(
  table: TableRef,
  joins: JoinsOfTable | undefined,
): readonly { readonly on: string; readonly about: string }[] {
  if (joins === undefined) return []
  const place = (other: TableRef, column: string): string =>
    `${other.schema === table.schema ? '' : `${other.schema}.`}${other.name}.${column}`
  const declared = joins.referredBy.map(({ from, columns, referenced }) => ({
    on: columns.map((column, i) => `${place(from, column)} = ${table.name}.${referenced[i] ?? column}`).join(' AND '),
    about: 'refers to this table',
  }))
  const inferred = [...joins.inferred, ...joins.inferredBy].map((join) => ({
    on: `${place(join.from, join.column)} = ${place(join.to, join.referenced)}`,
    about: `inferred ${evidenceText(join)}`,
  }))
  return [...declared.toSorted((a, b) => (a.on < b.on ? -1 : 1)), ...inferred].slice(0, MOST_SHOWN)
}
