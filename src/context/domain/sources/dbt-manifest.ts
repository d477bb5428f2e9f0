import { z } from 'zod'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { oneLine, type SourcePage } from './page.ts'

const column = z
  .object({ name: z.string(), description: z.string().default(''), data_type: z.string().nullish() })
  .loose()
const node = z
  .object({
    unique_id: z.string(),
    resource_type: z.string(),
    name: z.string(),
    description: z.string().nullish(),
    schema: z.string().nullish(),
    alias: z.string().nullish(),
    raw_code: z.string().nullish(),
    columns: z.record(z.string(), column).default({}),
    config: z.object({ materialized: z.string().nullish() }).loose().default({}),
    depends_on: z
      .object({ nodes: z.array(z.string()).default([]) })
      .loose()
      .default({ nodes: [] }),
    attached_node: z.string().nullish(),
    column_name: z.string().nullish(),
    test_metadata: z
      .object({
        name: z.string(),
        kwargs: z
          .object({ to: z.string().optional().catch(undefined), field: z.string().optional().catch(undefined) })
          .loose()
          .optional()
          .catch(undefined),
      })
      .loose()
      .nullish(),
  })
  .loose()
const manifest = z
  .object({
    nodes: z.record(z.string(), z.unknown()),
    sources: z.record(z.string(), z.unknown()).default({}),
  })
  .loose()

export interface DbtManifest {
  readonly pages: readonly SourcePage[]
  /** Database name of a model, by its name in dbt. */
  readonly tables: ReadonlyMap<string, string>
  /** Number of unreadable entries. */
  readonly skipped: number
}

/** Models and sources of a dbt manifest as pages; undefined when it is not a manifest. */
export function readDbtManifest(value: unknown): DbtManifest | undefined {
  const parsed = manifest.safeParse(value)
  if (!parsed.success) return undefined
  const nodes = Object.values(parsed.data.nodes).map((one) => node.safeParse(one))
  const sources = Object.values(parsed.data.sources).map((one) => node.safeParse(one))
  const known = nodes.flatMap((one) => (one.success ? [one.data] : []))
  const models = known.filter((one) => ['model', 'seed', 'snapshot'].includes(one.resource_type))
  const lineage = lineageOf(
    known.filter((one) => one.resource_type === 'test'),
    models,
  )
  const made = [
    ...models.map((one) => pageOf(one, 'models', () => modelText(one, lineage))),
    ...sources.flatMap((one) => (one.success ? [pageOf(one.data, 'sources', () => modelText(one.data, lineage))] : [])),
  ]
  const pages = made.filter((page) => page !== undefined)
  return {
    pages,
    tables: new Map(models.map((one) => [one.name, tableName(one)])),
    skipped: [...nodes, ...sources].filter((one) => !one.success).length + made.length - pages.length,
  }
}

type Node = z.output<typeof node>

const LARGEST = 1024 * 1024

/** Undefined if the page is unusable as a document: too long, or too deeply nested. */
function pageOf(
  { unique_id: id, name: title }: { unique_id: string; name: string },
  folder: 'models' | 'sources',
  write: () => string,
): SourcePage | undefined {
  try {
    const text = write()
    return text.length > LARGEST ? undefined : { id, title, folder, text, fingerprint: sha256(text).slice(0, 16) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface Lineage {
  readonly tests: ReadonlyMap<string, readonly Node[]>
  readonly children: ReadonlyMap<string, readonly string[]>
}

/** Indexed once: searching every test and model for each page would take minutes for a large project. */
function lineageOf(tests: readonly Node[], models: readonly Node[]): Lineage {
  const [of, children] = [new Map<string, Node[]>(), new Map<string, string[]>()]
  const add = <T>(map: Map<string, T[]>, key: string, value: T): void =>
    void (map.get(key)?.push(value) ?? map.set(key, [value]))
  for (const test of tests) {
    if (test.attached_node != null) add(of, test.attached_node, test)
    else if (test.attached_node === undefined) for (const id of new Set(test.depends_on.nodes)) add(of, id, test)
  }
  for (const model of models) for (const id of new Set(model.depends_on.nodes)) add(children, id, model.name)
  return { tests: of, children }
}

function modelText(one: Node, lineage: Lineage): string {
  const own = lineage.tests.get(one.unique_id) ?? []
  const testsOn = (name: string): string =>
    own
      .filter((test) => test.column_name === name)
      .map(testName)
      .join(', ')
  const columns = Object.values(one.columns)
  const parents = one.depends_on.nodes.map(lastPart)
  const children = lineage.children.get(one.unique_id) ?? []
  return (
    [
      `# ${one.name}`,
      [
        `A dbt ${one.resource_type}`,
        one.config.materialized && `, ${one.config.materialized}`,
        one.schema && `, in ${tableName(one)}`,
      ]
        .filter(Boolean)
        .join('') + '.',
      one.description?.trim(),
      columns.length > 0 &&
        [
          '## Columns',
          '',
          '| column | type | tests | about |',
          '| --- | --- | --- | --- |',
          ...columns.map((c) => `| ${c.name} | ${c.data_type ?? ''} | ${testsOn(c.name)} | ${cell(c.description)} |`),
        ].join('\n'),
      own.some((test) => !test.column_name) &&
        ['## Tests', '', ...own.filter((test) => !test.column_name).map((test) => `- ${testName(test)}`)].join('\n'),
      (parents.length > 0 || children.length > 0) &&
        [
          '## Lineage',
          '',
          parents.length > 0 && `Made from: ${parents.join(', ')}`,
          children.length > 0 && `Used by: ${children.join(', ')}`,
        ]
          .filter((line) => line !== false)
          .join('\n'),
      one.raw_code && ['## Code', '', '```sql', one.raw_code.trim(), '```'].join('\n'),
    ]
      .filter(Boolean)
      .join('\n\n') + '\n'
  )
}

function testName({ name, test_metadata: test }: Node): string {
  const { to, field } = test?.kwargs ?? {}
  if (test?.name !== 'relationships' || to === undefined || field === undefined) return test?.name ?? name
  const table = /["']([^"']{1,200})["']\s{0,9}\)/.exec(to)?.[1] ?? to
  return `relationships to ${cell(`${table}.${field}`)}`
}
const lastPart = (id: string): string => id.split('.').at(-1) ?? id
const tableName = ({ schema, alias, name }: Node): string => [schema, alias ?? name].filter(Boolean).join('.')
const cell = (text: string): string => oneLine(text).replaceAll('|', String.raw`\|`)
