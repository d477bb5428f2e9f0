import type { TableRef } from '../sql/catalogue.ts'

/** Column description from the project: dbt or `semantics/`. Third-party text, like the rest of the project. */
export interface ColumnNote {
  readonly name: string
  readonly description?: string | undefined
  readonly unit?: string | undefined
  readonly synonyms?: readonly string[] | undefined
  /** Allowed values, each with an optional meaning. */
  readonly values?: readonly NotedValue[] | undefined
  /** Metrics computed from it: `revenue = sum`. */
  readonly metrics?: readonly string[] | undefined
}

export interface NotedValue {
  readonly value: string
  readonly meaning: string
}

export interface TableNote {
  /** `name`, `schema.name` or `database.schema.name`; case-insensitive. */
  readonly table: string
  readonly description?: string | undefined
  readonly columns: readonly ColumnNote[]
}

export type NotesOn = (table: TableRef) => TableNote

/** Merges all notes on a table; if two conflict, the first wins. */
export function indexNotes(notes: readonly TableNote[]): NotesOn {
  const byName = Map.groupBy(notes, ({ table }) => table.toLowerCase())
  return ({ database, schema, name }) => {
    const own = [`${database}.${schema}.${name}`, `${schema}.${name}`, name].flatMap(
      (one) => byName.get(one.toLowerCase()) ?? [],
    )
    const columns = Map.groupBy(
      own.flatMap((note) => note.columns),
      (note) => note.name.toLowerCase(),
    )
    return {
      table: `${schema}.${name}`,
      description: own.find((note) => note.description !== undefined)?.description,
      columns: [...columns.values()].map((parts) => parts.reduce(joined)),
    }
  }
}

export const NO_NOTES: NotesOn = indexNotes([])

const joined = (a: ColumnNote, b: ColumnNote): ColumnNote => ({
  name: a.name,
  description: a.description ?? b.description,
  unit: a.unit ?? b.unit,
  synonyms: [...new Set([...(a.synonyms ?? []), ...(b.synonyms ?? [])])],
  values: [...new Map([...(b.values ?? []), ...(a.values ?? [])].map((one) => [one.value, one])).values()],
  metrics: [...new Set([...(a.metrics ?? []), ...(b.metrics ?? [])])],
})
