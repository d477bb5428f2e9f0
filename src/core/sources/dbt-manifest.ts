import { z } from 'zod'
import { sha256 } from '../sha256.ts'

const column = z.object({ name: z.string(), description: z.string().default(''), data_type: z.string().nullish() }).loose()
const node = z.object({
  unique_id: z.string(),
  resource_type: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  schema: z.string().nullish(),
  alias: z.string().nullish(),
  raw_code: z.string().nullish(),
  columns: z.record(z.string(), column).default({}),
  config: z.object({ materialized: z.string().nullish() }).loose().default({}),
  depends_on: z.object({ nodes: z.array(z.string()).default([]) }).loose().default({ nodes: [] }),
  attached_node: z.string().nullish(),
  column_name: z.string().nullish(),
  test_metadata: z.object({ name: z.string() }).loose().nullish(),
}).loose()
const metric = z.object({ unique_id: z.string(), name: z.string(), label: z.string().nullish(), description: z.string().nullish(), type: z.string().nullish(), type_params: z.unknown().optional() }).loose()
const manifest = z.object({ nodes: z.record(z.string(), z.unknown()), sources: z.record(z.string(), z.unknown()).default({}), metrics: z.record(z.string(), z.unknown()).default({}) }).loose()

export interface DbtDocument {
  readonly id: string
  readonly title: string
  readonly folder: 'models' | 'sources' | 'metrics'
  readonly fingerprint: string
  readonly text: string
}

/** Models, sources and metrics of a dbt manifest as documents. Entries that cannot be read are counted; undefined when it is no manifest. */
export function readDbtManifest(value: unknown): { readonly documents: readonly DbtDocument[]; readonly skipped: number } | undefined {
  const parsed = manifest.safeParse(value)
  if (!parsed.success) return undefined
  const nodes = Object.values(parsed.data.nodes).map((one) => node.safeParse(one))
  const sources = Object.values(parsed.data.sources).map((one) => node.safeParse(one))
  const metrics = Object.values(parsed.data.metrics).map((one) => metric.safeParse(one))
  const known = nodes.flatMap((one) => (one.success ? [one.data] : []))
  const tests = known.filter((one) => one.resource_type === 'test')
  const models = known.filter((one) => ['model', 'seed', 'snapshot'].includes(one.resource_type))
  const documents = [
    ...models.map((one) => documentOf(one.unique_id, one.name, 'models', modelText(one, tests, models))),
    ...sources.flatMap((one) => (one.success ? [documentOf(one.data.unique_id, one.data.name, 'sources', modelText(one.data, tests, models))] : [])),
    ...metrics.flatMap((one) => (one.success ? [documentOf(one.data.unique_id, one.data.name, 'metrics', metricText(one.data))] : [])),
  ]
  return { documents, skipped: [...nodes, ...sources, ...metrics].filter((one) => !one.success).length }
}

type Node = z.output<typeof node>

const documentOf = (id: string, title: string, folder: DbtDocument['folder'], text: string): DbtDocument => ({ id, title, folder, text, fingerprint: sha256(text).slice(0, 16) })

function modelText(one: Node, tests: readonly Node[], models: readonly Node[]): string {
  const own = tests.filter((test) => test.attached_node === one.unique_id || (test.attached_node === undefined && test.depends_on.nodes.includes(one.unique_id)))
  const testsOn = (name: string): string => own.filter((test) => test.column_name === name).map(testName).join(', ')
  const columns = Object.values(one.columns)
  const parents = one.depends_on.nodes.map(lastPart)
  const children = models.filter((other) => other.depends_on.nodes.includes(one.unique_id)).map((other) => other.name)
  return [
    `# ${one.name}`,
    [`A dbt ${one.resource_type}`, one.config.materialized && `, ${one.config.materialized}`, one.schema && `, in ${one.schema}.${one.alias ?? one.name}`].filter(Boolean).join('') + '.',
    one.description?.trim(),
    columns.length > 0 && ['## Columns', '', '| column | type | tests | about |', '| --- | --- | --- | --- |', ...columns.map((c) => `| ${c.name} | ${c.data_type ?? ''} | ${testsOn(c.name)} | ${oneLine(c.description)} |`)].join('\n'),
    own.some((test) => !test.column_name) && ['## Tests', '', ...own.filter((test) => !test.column_name).map((test) => `- ${testName(test)}`)].join('\n'),
    (parents.length > 0 || children.length > 0) && ['## Lineage', '', parents.length > 0 && `Made from: ${parents.join(', ')}`, children.length > 0 && `Used by: ${children.join(', ')}`].filter((line) => line !== false).join('\n'),
    one.raw_code && ['## Code', '', '```sql', one.raw_code.trim(), '```'].join('\n'),
  ].filter(Boolean).join('\n\n') + '\n'
}

function metricText(one: z.output<typeof metric>): string {
  return [
    `# ${one.label ?? one.name}`,
    `The dbt metric \`${one.name}\`${one.type ? `, ${one.type}` : ''}.`,
    one.description?.trim(),
    one.type_params !== undefined && ['## Definition', '', '```json', JSON.stringify(one.type_params, null, 2), '```'].join('\n'),
  ].filter(Boolean).join('\n\n') + '\n'
}

const testName = (test: Node): string => test.test_metadata?.name ?? test.name
const lastPart = (id: string): string => id.split('.').at(-1) ?? id
const oneLine = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll(/\s*\n\s*/g, ' ').trim()
