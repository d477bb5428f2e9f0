import { parse } from 'yaml'
import { z } from 'zod'
import { didYouMean } from '../../../kernel/domain/close-match.ts'
import { CONFIG_BOUNDS, yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'
import { notedValues, notedWords, readNotedValues, type ColumnNote, type TableNote } from '../sources/table-notes.ts'
import type { CompiledTable } from './manifest.ts'

// Descriptive fields are optional; a fault in one must not hide the rest of the file.
const text = z.string().optional().catch(undefined)
const described = { description: text, unit: text, synonyms: notedWords }
const source = z.object({ table: z.string(), column: z.string().optional(), aggregation: text }).loose()
const metric = z
  .object({
    name: z.string(),
    source: source.optional(),
    dimensions: z.array(z.string()).default([]),
    filters: z.union([notedWords, z.unknown().transform(() => undefined)]),
    ...described,
  })
  .loose()
const dimension = z
  .object({
    name: z.string(),
    table: z.string().optional(),
    column: z.string().optional(),
    source: source.optional(),
    values: notedValues,
    ...described,
  })
  .loose()
const semantics = z.object({ metrics: z.array(metric).default([]), dimensions: z.array(dimension).default([]) }).loose()

type Metric = z.output<typeof metric>
type Dimension = z.output<typeof dimension>

/** Notes of metrics and dimensions on their columns. Empty for an unreadable file. */
export function semanticNotes(file: string): readonly TableNote[] {
  const parsed = yamlExcess(file, CONFIG_BOUNDS) === undefined ? semantics.safeParse(yamlOf(file)) : undefined
  if (!parsed?.success) return []
  const { metrics, dimensions } = parsed.data
  return [
    ...dimensions.flatMap((one) => tablesOf(one, metrics).map((table) => ({ table, columns: [dimensionNote(one)] }))),
    ...metrics.flatMap((one) =>
      one.source?.column === undefined
        ? []
        : [{ table: one.source.table, columns: [metricNote(one, one.source.column)] }],
    ),
  ]
}

/** A dimension without a table is a column of the tables of metrics that use it. */
function tablesOf({ name, table, source: from }: Dimension, metrics: readonly Metric[]): readonly string[] {
  const named = from?.table ?? table
  if (named !== undefined) return [named]
  const used = metrics.flatMap((one) =>
    one.dimensions.includes(name) && one.source !== undefined ? [one.source.table] : [],
  )
  return [...new Set(used)]
}

const dimensionNote = ({
  name,
  column,
  source: from,
  values,
  description,
  unit,
  synonyms = [],
}: Dimension): ColumnNote => {
  const own = from?.column ?? column ?? name
  const words = own.toLowerCase() === name.toLowerCase() ? synonyms : [name, ...synonyms]
  return { name: own, description, unit, synonyms: words, values: readNotedValues(values) }
}

/** `revenue (Umsatz) = sum where status = 'paid', EUR` */
function metricNote({ name, source: from, filters = [], unit, synonyms = [] }: Metric, column: string): ColumnNote {
  const told = [
    name,
    synonyms.length === 0 ? '' : ` (${synonyms.join(', ')})`,
    from?.aggregation === undefined ? '' : ` = ${from.aggregation}`,
    filters.length === 0 ? '' : ` where ${filters.join(' and ')}`,
    unit === undefined ? '' : `, ${unit}`,
  ]
  return { name: column, metrics: [told.join('')] }
}

/** Names in metrics and dimensions that do not exist, one sentence each. */
export function checkSemantics(path: string, text: string, tables: readonly CompiledTable[]): readonly string[] {
  const excess = yamlExcess(text, CONFIG_BOUNDS)
  if (excess !== undefined) return [`${path}: ${excess}.`]
  const parsed = semantics.safeParse(yamlOf(text))
  if (!parsed.success)
    return [
      `${path}: ${parsed.error.issues[0]?.path.join('.') || 'it'} cannot be read. Metrics and dimensions are lists of entries with a name.`,
    ]
  const { metrics, dimensions } = parsed.data
  const named = new Set(dimensions.map(({ name }) => name))
  return [
    ...metrics.flatMap(({ name, source: from, dimensions: by }) => [
      ...(from === undefined ? [] : placeFaults(`${path}: metric "${name}"`, from, tables)),
      ...by
        .filter((one) => dimensions.length > 0 && !named.has(one))
        .map((one) => `${path}: metric "${name}": there is no dimension "${one}". ${didYouMean(one, [...named])}`),
    ]),
    ...dimensions.flatMap(({ name, table, column, source: from }) => {
      const place = from ?? (table === undefined ? undefined : { table, column })
      return place === undefined ? [] : placeFaults(`${path}: dimension "${name}"`, place, tables)
    }),
  ]
}

function placeFaults(
  what: string,
  place: { readonly table: string; readonly column?: string | undefined },
  tables: readonly CompiledTable[],
): readonly string[] {
  const wanted = place.table.toLowerCase()
  const found = tables.find((table) =>
    [table.name, `${table.schema}.${table.name}`, `${table.database}.${table.schema}.${table.name}`].some(
      (name) => name.toLowerCase() === wanted,
    ),
  )
  if (found === undefined)
    return [
      `${what}: there is no table "${place.table}". ${didYouMean(
        place.table,
        tables.map(({ name }) => name),
      )}`,
    ]
  const { column } = place
  if (column === undefined || found.columns.some(({ name }) => name.toLowerCase() === column.toLowerCase())) return []
  return [
    `${what}: "${place.table}" has no column "${column}". ${didYouMean(
      column,
      found.columns.map(({ name }) => name),
    )}`,
  ]
}

const LARGEST = 64 * 1024

function yamlOf(text: string): unknown {
  if (text.length > LARGEST) return undefined
  try {
    return parse(text, { maxAliasCount: 50, prettyErrors: false }) ?? {}
  } catch {
    return undefined
  }
}
