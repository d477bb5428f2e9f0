import { z } from 'zod'
import { personalField, personalRules, projectPersonalField } from '../personal/policy.ts'
import { entryName, fieldsOf, globs, type ContextRules, type Reached, type SourceRules } from './source-rules.ts'

/** A parsed ken.yaml, with references to the environment unresolved. */
export interface ContextConfig {
  readonly name: string
  /** Folder of templates that replace the built-in documents. */
  readonly templates: string
  /** Whether memories of users are learned and used in this project. */
  readonly memory: boolean
  /** Defaults of the project's tests. */
  readonly tests: { readonly strict: boolean }
  readonly databases: readonly DatabaseConfig[]
  /** Everything that opens something: databases, sources, and the template folder. */
  readonly entries: readonly ConfigEntry[]
}

export interface ConfigEntry {
  /** Kind and name, e.g. `database/shop`. */
  readonly key: string
  readonly name: string
  /** The entry's key in ken.yaml, e.g. `databases`. */
  readonly list: string
  readonly value: unknown
  readonly secrets: readonly string[]
  readonly reaches: readonly Reached[]
}

const profiling = z.strictObject({
  refresh: z
    .enum(['always', 'interval', 'once'])
    .default('interval')
    .describe('When a profile is made again although the table looks the same.'),
  days: z.number().int().min(1).max(3650).default(7).describe('For refresh: interval.'),
  max_rows: z.number().int().min(1).default(1_000_000).describe('Larger tables are profiled on this many rows.'),
  seconds: z.number().int().min(1).max(3_600).default(60).describe('Profiling limit for one table.'),
  total_seconds: z
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(900)
    .describe('Profiling limit for one sync; the next one continues.'),
  max_bytes: z
    .number()
    .int()
    .positive()
    .default(1024 ** 3)
    .describe('Limit for the bytes billed by one profiling statement, if the engine estimates them (BigQuery).'),
})

const duration = z
  .string()
  .regex(/^\d{1,6}[smhd]$/)
  .transform((text) => Number.parseInt(text) * UNITS[text.at(-1) as keyof typeof UNITS])

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const freshness = z.strictObject({
  rows: z
    .union([duration, z.literal('never')])
    .prefault('0s')
    .describe('How long stale files are acceptable: 0s, 15m, 1h, 7d, or never.'),
  max_age: duration
    .optional()
    .describe('Older files are rebuilt even if no rows changed; without it, `profiling` decides.'),
})

/** Common fields of database entries; the other fields are the connection, checked by the warehouse itself. */
export const databaseFields = {
  name: entryName,
  type: z.string().describe('duckdb, sqlite, postgres, mysql, …'),
  include: globs.describe('schema.table globs; all tables when empty.'),
  exclude: globs.describe('schema.table globs to leave out; schema.table.column hides a column.'),
  documents: z
    .array(z.string().regex(/^[a-z][a-z0-9_]*$/))
    .default(['columns', 'how_to_use', 'preview', 'profiling'])
    .describe('Documents for each table.'),
  profiling: profiling.prefault({}),
  personal: personalField,
  freshness: freshness.prefault({}),
}

const database = z.looseObject(databaseFields)

export type DatabaseConfig = z.output<typeof database>

const ownFields = {
  name: z.string().min(1).max(120),
  personal: projectPersonalField,
  databases: z.array(database).default([]),
  templates: z
    .string()
    .min(1)
    .default('templates')
    .describe('The folder with templates that replace the built-in documents.'),
  memory: z
    .union([z.boolean(), z.enum(['on', 'off']).transform((word) => word === 'on')])
    .default(true)
    .describe('off: nothing is learned of users here, and nothing that is remembered of them is used.'),
  tests: z
    .strictObject({
      strict: z.boolean().default(false).describe('Cases compare tables strictly unless they set `strict: false`.'),
    })
    .prefault({}),
}

export type ParsedConfig = z.output<z.ZodObject<typeof ownFields>> & Readonly<Record<string, unknown>>

/** Schema of ken.yaml for the given sources. */
export function configSchema({ sources }: ContextRules): z.ZodType<ParsedConfig> {
  const { templates, memory, tests, ...first } = ownFields
  const fields = Object.fromEntries(sources.map((source) => [source.key, fieldOf(source)]))
  return z.strictObject({ ...first, ...fields, templates, memory, tests }) as unknown as z.ZodType<ParsedConfig>
}

function fieldOf({ entries, config }: SourceRules): z.ZodType {
  if (entries === 'one') return config.optional()
  const list = z.array(config)
  return (entries === 'list' ? list : z.union([config.transform((one) => [one]), list])).default([])
}

/** Every entry of a configuration with its reach. */
export function configEntries(parsed: ParsedConfig, rules: ContextRules): readonly ConfigEntry[] {
  const { templates } = parsed
  return [
    ...parsed.databases.map((one) => databaseEntry(one, rules)),
    ...rules.sources.flatMap((source) => sourceEntries(source, parsed[source.key])),
    {
      key: 'templates',
      name: 'templates',
      list: 'templates',
      value: templates,
      secrets: [],
      reaches: [{ opens: templates }],
    },
  ]
}

/**
 * Converts a database to an entry. An unknown type is treated as a server, so that it requires trust before it is
 * rejected.
 */
function databaseEntry(entry: DatabaseConfig, { warehouses }: ContextRules): ConfigEntry {
  const warehouse = warehouses.find(({ type }) => type === entry.type)
  const place: Reached =
    warehouse?.place === 'file'
      ? { opens: String(entry['path'] ?? '') }
      : { uses: entry.type, fields: connectionOf(entry) }
  const told = entry.documents.includes('ai_summary') ? [{ tells: 'your language model what is in its tables' }] : []
  return {
    key: `database/${entry.name}`,
    name: entry.name,
    list: 'databases',
    value: entry,
    secrets: warehouse?.secrets ?? [],
    reaches: [place, ...told],
  }
}

function sourceEntries(source: SourceRules, found: unknown): readonly ConfigEntry[] {
  const entries = source.entries === 'one' ? (found === undefined ? [] : [found]) : (found as readonly unknown[])
  return entries.map((value) => {
    const name = source.entries === 'one' ? source.kind : (value as { readonly name: string }).name
    return {
      key: source.entries === 'one' ? source.kind : `${source.kind}/${name}`,
      name,
      list: source.key,
      value,
      secrets: source.secrets,
      reaches: source.reach(value),
    }
  })
}

/** The fields of an entry that belong to its connection. */
export function connectionOf(entry: DatabaseConfig): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !(key in databaseFields)))
}

/** The fields that ken.yaml may have at a place, to suggest one for a misspelling. */
export function fieldsAt(path: readonly PropertyKey[], { sources, warehouses }: ContextRules): readonly string[] {
  const [list] = path
  if (path.includes('personal')) return fieldsOf(personalRules)
  if (list === undefined) return fieldsOf(configSchema({ sources, warehouses }))
  if (list === 'databases')
    return fieldsOf(path.includes('profiling') ? profiling : path.includes('freshness') ? freshness : database)
  const source = sources.find(({ key }) => key === list)
  return source === undefined ? [] : fieldsOf(source.config)
}

/** A JSON schema for editors: the connection of a database depends on its type. */
export function configJsonSchema(rules: ContextRules): object {
  const schema = z.toJSONSchema(configSchema(rules), { io: 'input' }) as unknown as {
    properties: { databases: { items: { properties: { type: object } } } }
  }
  const { databases } = schema.properties
  const { properties } = databases.items
  const items = {
    ...databases.items,
    properties: { ...properties, type: { ...properties.type, enum: rules.warehouses.map(({ type }) => type) } },
    allOf: rules.warehouses.map(({ type, connection }) => {
      const { properties: fields, required } = z.toJSONSchema(connection, { io: 'input', unrepresentable: 'any' })
      return {
        if: { properties: { type: { const: type } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
        then: { properties: fields, ...(required !== undefined && { required }) },
      }
    }),
  }
  return { ...schema, title: 'ken.yaml', properties: { ...schema.properties, databases: { ...databases, items } } }
}
