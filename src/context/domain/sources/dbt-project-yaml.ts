import { listOf, objectOf, objectsOf, textOf, type Loose } from './loose-value.ts'

const KINDS = { models: 'model', seeds: 'seed', snapshots: 'snapshot' } as const

/**
 * Converts the YAML of a dbt project to the parts of a manifest that it defines: models, seeds, snapshots and sources
 * with their descriptions, columns and tests. `docs` are the doc blocks that descriptions refer to. SQL, lineage and
 * the schemas of models are only in a manifest.
 */
export function manifestOfYaml(
  files: readonly unknown[],
  docs: ReadonlyMap<string, string>,
): { readonly nodes: Loose; readonly sources: Loose } {
  const found = files.flatMap((file) => {
    const parts = objectOf(file)
    const models = Object.entries(KINDS).flatMap(([key, type]) =>
      objectsOf(parts[key]).flatMap((one) => resourceOf(one, { type, docs })),
    )
    return [...models, ...objectsOf(parts['sources']).flatMap((one) => tablesOf(one, docs))]
  })
  const all = found.flatMap(({ resource, tests }) => [resource, ...tests])
  const byId = (isWanted: (node: Loose) => boolean): Loose =>
    Object.fromEntries(all.filter(isWanted).map((node) => [node['unique_id'], node]))
  const isSource = (node: Loose): boolean => node['resource_type'] === 'source'
  return { nodes: byId((node) => !isSource(node)), sources: byId(isSource) }
}

/** The `{% docs name %}` blocks of Markdown files, by name. */
export function docBlocks(texts: readonly string[]): ReadonlyMap<string, string> {
  const blocks = new Map<string, string>()
  for (const text of texts)
    for (const part of text.split(/\{%-?\s{0,9}docs\s{1,9}/).slice(1)) {
      const [, name, rest = ''] = /^(\w{1,200})\s{0,9}-?%\}([^]*)$/.exec(part) ?? []
      const end = rest.search(/\{%-?\s{0,9}enddocs\b/)
      if (name !== undefined && end >= 0) blocks.set(name, rest.slice(0, end).trim())
    }
  return blocks
}

interface Found {
  readonly resource: Loose
  readonly tests: readonly Loose[]
}

type Docs = ReadonlyMap<string, string>

function tablesOf(source: Loose, docs: Docs): readonly Found[] {
  const name = textOf(source['name'])
  if (name === undefined) return []
  const schema = plain(source['schema'] ?? name)
  return objectsOf(source['tables']).flatMap((table) =>
    resourceOf(table, { type: 'source', docs, within: name, more: { schema, identifier: plain(table['identifier']) } }),
  )
}

function resourceOf(
  given: Loose,
  { type, docs, within, more }: { type: string; docs: Docs; within?: string; more?: Loose },
): readonly Found[] {
  const name = textOf(given['name'])
  if (name === undefined) return []
  const config = objectOf(given['config'])
  const id = [type, within, name].filter((part) => part !== undefined).join('.')
  const columns = objectsOf(given['columns']).flatMap((column) => columnOf(column, docs))
  const resource = {
    unique_id: id,
    resource_type: type,
    name,
    description: described(given['description'], docs),
    alias: plain(config['alias'] ?? given['alias']),
    config: { materialized: textOf(config['materialized']) },
    columns: Object.fromEntries(columns.map(({ column }) => [column.name, column])),
    ...more,
  }
  return [
    {
      resource,
      tests: [
        ...testsOf(given, { of: id }),
        ...columns.flatMap(({ column, given: own }) => testsOf(own, { of: id, column: column.name })),
      ],
    },
  ]
}

function columnOf(given: Loose, docs: Docs) {
  const name = textOf(given['name'])
  if (name === undefined) return []
  const column = {
    name,
    description: described(given['description'], docs) ?? '',
    data_type: textOf(given['data_type']),
    meta: given['meta'],
    config: given['config'],
  }
  return [{ column, given }]
}

/** Tests under `tests` or, since dbt 1.8, `data_tests`; their arguments directly or, since 1.10, under `arguments`. */
function testsOf(given: Loose, { of, column }: { of: string; column?: string }): readonly Loose[] {
  return [...listOf(given['tests']), ...listOf(given['data_tests'])].flatMap((test, i) => {
    const { name, kwargs } = testOf(test)
    if (name === undefined) return []
    return [
      {
        unique_id: ['test', of, column, i, name].filter((part) => part !== undefined).join('.'),
        resource_type: 'test',
        name,
        attached_node: of,
        column_name: column,
        test_metadata: { name: name.split('.').at(-1), kwargs },
      },
    ]
  })
}

function testOf(test: unknown): { readonly name: string | undefined; readonly kwargs: Loose } {
  if (typeof test === 'string') return { name: textOf(test), kwargs: {} }
  const fields = objectOf(test)
  const named = textOf(fields['test_name'])
  const [key] = Object.keys(fields)
  const given = named === undefined ? objectOf(fields[key ?? '']) : fields
  return { name: named ?? textOf(key), kwargs: { ...given, ...objectOf(given['arguments']) } }
}

const IS_DOC = /^\{\{\s{0,9}doc\(\s{0,9}(?:(["'])\w{1,200}\1\s{0,9},\s{0,9})?(["'])(\w{1,200})\2\s{0,9}\)\s{0,9}\}\}$/

/** The description with a doc block in place of its reference; undefined if the block is missing. */
function described(given: unknown, docs: Docs): string | undefined {
  const text = textOf(given)
  const block = text === undefined ? null : IS_DOC.exec(text)
  return block === null ? text : docs.get(block[3]!)
}

/** A literal name: one that dbt does not compute. */
const plain = (given: unknown): string | undefined => {
  const text = textOf(given)
  return text?.includes('{{') ? undefined : text
}
