import { z } from 'zod'
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

interface NotedValue {
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

/** Merges all notes on a table; if two conflict, the first takes precedence. */
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

const scalar = z.union([z.string(), z.number(), z.boolean()])
const described = z
  .object({
    value: scalar,
    meaning: z.string().optional(),
    label: z.string().optional(),
    description: z.string().optional(),
  })
  .loose()

/** Values as people list them: plain, each with its meaning, or as `value: meaning`. Anything else is undefined. */
export const notedValues = z
  .union([z.array(z.union([scalar, described])), z.record(z.string(), scalar.nullable())])
  .optional()
  .catch(undefined)

const MOST_VALUES = 200

export function readNotedValues(given: z.output<typeof notedValues>): readonly NotedValue[] | undefined {
  if (given === undefined) return undefined
  const listed = Array.isArray(given)
    ? given.map((one) =>
        typeof one === 'object'
          ? { value: String(one.value), meaning: one.meaning ?? one.label ?? one.description ?? '' }
          : { value: String(one), meaning: '' },
      )
    : Object.entries(given).map(([value, meaning]) => ({ value, meaning: String(meaning ?? '') }))
  return listed.slice(0, MOST_VALUES)
}

/** One word or a list of them. */
export const notedWords = z
  .union([z.array(z.string()), z.string().transform((word) => [word])])
  .optional()
  .catch(undefined)
