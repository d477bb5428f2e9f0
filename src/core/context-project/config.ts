import { z } from 'zod'

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, 'a name is letters, digits, dots, dashes and underscores')
const globs = z.array(z.string().min(1).max(500)).max(1_000).default([])

const profiling = z.strictObject({
  refresh: z
    .enum(['always', 'interval', 'once'])
    .default('interval')
    .describe('When a profile is made again although the table looks the same.'),
  days: z.number().int().min(1).max(3650).default(7).describe('For refresh: interval.'),
  max_rows: z.number().int().min(1).default(1_000_000).describe('Larger tables are profiled on this many rows.'),
})

/** What every database entry has; the other fields are the connection, checked by the warehouse itself. */
export const databaseFields = {
  name,
  type: z.string().describe('duckdb, sqlite, postgres, mysql, …'),
  include: globs.describe('schema.table globs; all tables when empty.'),
  exclude: globs.describe('schema.table globs to leave out; schema.table.column hides a column.'),
  documents: z
    .array(z.string().regex(/^[a-z][a-z0-9_]*$/))
    .default(['columns', 'how_to_use', 'preview', 'profiling'])
    .describe('What is written for each table.'),
  profiling: profiling.prefault({}),
}

const repository = z.strictObject({
  name,
  url: z.string().min(1).optional().describe('What git clones.'),
  path: z.string().min(1).optional().describe('A folder on this machine.'),
  branch: z.string().min(1).optional(),
  include: globs,
  exclude: globs,
})

const notion = z.strictObject({
  token: z.string().min(1),
  pages: z.array(z.string().min(1)).default([]).describe('Addresses or ids; all shared pages when empty.'),
  url: z.string().min(1).default('https://api.notion.com'),
})

const confluence = z.strictObject({
  url: z.string().min(1).describe('https://example.atlassian.net/wiki'),
  email: z.string().optional(),
  token: z.string().min(1),
  spaces: z.array(z.string().min(1)).min(1).describe('Space keys.'),
})

const documents = z.strictObject({
  name,
  url: z.string().min(1).optional().describe('A page, or an llms.txt whose links are followed on the same host.'),
  path: z.string().min(1).optional().describe('A folder of documents on this machine.'),
  include: globs,
  exclude: globs,
})

const dbt = z.strictObject({
  name: name.default('dbt'),
  path: z.string().min(1).describe('The dbt project; target/manifest.json is read.'),
})

export const contextConfig = z.strictObject({
  name: z.string().min(1).max(120),
  databases: z.array(z.looseObject(databaseFields)).default([]),
  repositories: z.array(repository).default([]),
  notion: notion.optional(),
  confluence: confluence.optional(),
  docs: z.array(documents).default([]),
  dbt: z.union([dbt.transform((one) => [one]), z.array(dbt)]).default([]),
  templates: z
    .string()
    .min(1)
    .default('templates')
    .describe('The folder with templates that replace the built-in documents.'),
})

export type ContextConfig = z.output<typeof contextConfig>
export type DatabaseConfig = ContextConfig['databases'][number]

/** The fields of an entry that belong to its connection. */
export function connectionOf(database: DatabaseConfig): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(database).filter(([key]) => !(key in databaseFields)))
}

/** A JSON schema for editors. */
export function configSchema(): object {
  const schema = z.toJSONSchema(contextConfig, { io: 'input' }) as unknown as {
    properties: { databases: { items: { properties: object } } }
  }
  const { databases } = schema.properties
  const items = { ...databases.items, properties: { ...databases.items.properties, ...CONNECTION_FIELDS } }
  return { ...schema, title: 'ken.yaml', properties: { ...schema.properties, databases: { ...databases, items } } }
}

const CONNECTION_FIELDS = {
  path: { type: 'string', description: 'DuckDB, SQLite: the database file.' },
  url: { type: 'string', description: 'The whole address, best as a reference: ${DATABASE_URL}.' },
  host: { type: 'string' },
  port: { type: 'integer' },
  database: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string', description: 'A reference to the environment: ${DATABASE_PASSWORD}.' },
}
