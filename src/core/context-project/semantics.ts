import { parse } from 'yaml'
import { z } from 'zod'
import { didYouMean } from '../close-match.ts'
import { CONFIG_BOUNDS, yamlExcess } from '../yaml-bounds.ts'
import type { CompiledTable } from './manifest.ts'

const source = z.object({ table: z.string(), column: z.string().optional() }).loose()
const metric = z
  .object({ name: z.string(), source: source.optional(), dimensions: z.array(z.string()).default([]) })
  .loose()
const dimension = z
  .object({ name: z.string(), table: z.string().optional(), column: z.string().optional(), source: source.optional() })
  .loose()
const semantics = z.object({ metrics: z.array(metric).default([]), dimensions: z.array(dimension).default([]) }).loose()

/** What metrics and dimensions name that does not exist, one sentence each. */
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
