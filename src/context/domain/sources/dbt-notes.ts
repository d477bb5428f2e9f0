import { z } from 'zod'
import { notedValues, notedWords, readNotedValues, type ColumnNote, type TableNote } from './table-notes.ts'

const meta = z
  .object({
    unit: z.string().optional().catch(undefined),
    synonyms: notedWords,
    values: notedValues,
  })
  .loose()
  .optional()
  .catch(undefined)
const column = z
  .object({
    name: z.string(),
    description: z.string().nullish(),
    meta,
    // Contains `meta` since dbt 1.10.
    config: z.object({ meta }).loose().optional().catch(undefined),
  })
  .loose()
const node = z
  .object({
    unique_id: z.string(),
    resource_type: z.string(),
    name: z.string(),
    description: z.string().nullish(),
    schema: z.string().nullish(),
    alias: z.string().nullish(),
    identifier: z.string().nullish(),
    columns: z.record(z.string(), z.unknown()).default({}),
    attached_node: z.string().nullish(),
    column_name: z.string().nullish(),
    test_metadata: z
      .object({ name: z.string(), kwargs: z.object({ values: notedValues }).loose().optional() })
      .loose()
      .nullish(),
  })
  .loose()
const manifest = z
  .object({ nodes: z.record(z.string(), z.unknown()), sources: z.record(z.string(), z.unknown()).default({}) })
  .loose()

const TABLES = new Set(['model', 'seed', 'snapshot', 'source'])

/**
 * Notes on tables from a dbt manifest, or from the same parts of the project's YAML: descriptions, `meta` with `unit`,
 * `synonyms` and `values`, and the values that its tests accept. Unreadable parts are skipped.
 */
export function dbtNotes(given: unknown): readonly TableNote[] {
  const parsed = manifest.safeParse(given)
  if (!parsed.success) return []
  const nodes = [...Object.values(parsed.data.nodes), ...Object.values(parsed.data.sources)].flatMap((one) => {
    const read = node.safeParse(one)
    return read.success ? [read.data] : []
  })
  const accepted = new Map<string, ColumnNote['values']>()
  for (const { test_metadata: test, attached_node: of, column_name: name } of nodes)
    if (test?.name === 'accepted_values' && of != null && name != null)
      accepted.set(keyOf(of, name), readNotedValues(test.kwargs?.values))
  return nodes
    .filter(({ resource_type: type }) => TABLES.has(type))
    .map((one) => ({
      // Without a manifest, the schema of a model is not known.
      table: [one.schema, one.identifier ?? one.alias ?? one.name].filter(Boolean).join('.'),
      description: said(one.description),
      columns: Object.values(one.columns).flatMap((given) => {
        const read = column.safeParse(given)
        return read.success ? [columnNote(read.data, accepted.get(keyOf(one.unique_id, read.data.name)))] : []
      }),
    }))
    .filter(({ description, columns }) => description !== undefined || columns.length > 0)
}

function columnNote(given: z.output<typeof column>, accepted: ColumnNote['values']): ColumnNote {
  const told = { ...given.meta, ...given.config?.meta }
  return {
    name: given.name,
    description: said(given.description),
    unit: told.unit,
    synonyms: told.synonyms,
    values: readNotedValues(told.values) ?? accepted,
  }
}

const keyOf = (node: string, name: string): string => JSON.stringify([node, name.toLowerCase()])
const said = (text: string | null | undefined): string | undefined => text?.trim() || undefined
