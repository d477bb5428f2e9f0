import { isPlainObject } from '../../../kernel/domain/input/read-value.ts'
import { withoutHidden } from '../../../kernel/domain/trust/visible.ts'
import { cutWhole } from './cut-whole.ts'
import type { LineageFact } from './lineage.ts'

type Json = Readonly<Record<string, unknown>>

interface Dataset {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly about: string }[]
  /** Source columns of each column: `table.column`. */
  readonly sources: ReadonlyMap<string, readonly string[]>
}

interface Job {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly sql: string
  readonly owners: readonly string[]
  readonly code: string
  /** Run that reported these datasets. */
  readonly run: string
  readonly at: string
  readonly inputs: Map<string, Dataset>
  readonly outputs: Map<string, Dataset>
}

export interface OpenLineageReader {
  /** Adds an event; false if it is not one. */
  add(event: unknown): boolean
  jobs(): {
    readonly pages: readonly { readonly id: string; readonly title: string; readonly text: string }[]
    readonly facts: readonly LineageFact[]
  }
}

// A job with more tables, or a table with more columns, is hardly hand-made.
const MOST_DATASETS = 1_000
const MOST_COLUMNS = 500
// A page with the columns of more tables is not read.
const MOST_DESCRIBED = 20
const MOST_JOBS = 50_000

/** Groups OpenLineage run events by job: the newest run that named a table determines its inputs and outputs. */
export function openLineageReader(): OpenLineageReader {
  const known = new Map<string, Job>()
  return {
    add(event) {
      if (!isPlainObject(event) || !isPlainObject(event['job'])) return false
      const [name, at] = [words(event['job']['name']), words(event['eventTime'])]
      if (name === undefined || at === undefined) return false
      const id = `${words(event['job']['namespace']) ?? ''}/${name}`
      const [inputs, outputs] = [datasets(event['inputs']), datasets(event['outputs'])]
      const before = known.get(id)
      if (before === undefined && known.size >= MOST_JOBS) return true
      const run = isPlainObject(event['run']) ? (words(event['run']['runId']) ?? '') : ''
      const says = inputs.size + outputs.size > 0
      if (before !== undefined && before.run !== run && (before.at > at || !says)) return true
      const joined = before !== undefined && before.run === run
      known.set(id, {
        ...jobOf(id, name, event['job'], before),
        run,
        at: joined && before.at > at ? before.at : at,
        inputs: joined ? merged(before.inputs, inputs) : inputs,
        outputs: joined ? merged(before.outputs, outputs) : outputs,
      })
      return true
    },
    jobs() {
      const all = [...known.values()]
        .filter(({ inputs, outputs }) => inputs.size + outputs.size > 0)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      return {
        pages: all.map((job) => ({ id: job.id, title: job.name, text: pageOf(job) })),
        facts: all.flatMap((job) => [
          ...[...job.outputs.keys()].map((table) => ({ table, by: job.name, schedule: undefined, writes: true })),
          ...[...job.inputs.keys()].map((table) => ({ table, by: job.name, schedule: undefined, writes: false })),
        ]),
      }
    },
  }
}

function jobOf(id: string, name: string, job: Json, before: Job | undefined) {
  const facet = (key: string): Json => {
    const facets = isPlainObject(job['facets']) ? job['facets'] : {}
    return isPlainObject(facets[key]) ? facets[key] : {}
  }
  const owners = facet('ownership')['owners']
  return {
    id,
    name,
    about: words(facet('documentation')['description']) ?? before?.about ?? '',
    sql: words(facet('sql')['query']) ?? before?.sql ?? '',
    code: words(facet('sourceCodeLocation')['url']) ?? before?.code ?? '',
    owners: Array.isArray(owners)
      ? owners.flatMap((one) => (isPlainObject(one) ? (words(one['name']) ?? []) : []))
      : (before?.owners ?? []),
  }
}

function datasets(value: unknown): Map<string, Dataset> {
  const found = new Map<string, Dataset>()
  for (const one of Array.isArray(value) ? value.slice(0, MOST_DATASETS) : []) {
    const name = isPlainObject(one) ? words(one['name']) : undefined
    if (!isPlainObject(one) || name === undefined) continue
    const facets = isPlainObject(one['facets']) ? one['facets'] : {}
    found.set(name, { name, columns: columnsOf(facets['schema']), sources: sourcesOf(facets['columnLineage']) })
  }
  return found
}

function columnsOf(schema: unknown): Dataset['columns'] {
  const fields = isPlainObject(schema) && Array.isArray(schema['fields']) ? schema['fields'].slice(0, MOST_COLUMNS) : []
  return fields.filter(isPlainObject).flatMap((field) => {
    const name = words(field['name'])
    return name === undefined
      ? []
      : [{ name, type: words(field['type']) ?? '', about: words(field['description']) ?? '' }]
  })
}

function sourcesOf(lineage: unknown): Dataset['sources'] {
  const fields = isPlainObject(lineage) && isPlainObject(lineage['fields']) ? lineage['fields'] : {}
  return new Map(
    Object.entries(fields)
      .slice(0, MOST_COLUMNS)
      .map(([column, one]) => {
        const inputs = isPlainObject(one) && Array.isArray(one['inputFields']) ? one['inputFields'].slice(0, 100) : []
        const from = inputs
          .filter(isPlainObject)
          .flatMap((field) => [
            [words(field['name']), words(field['field'])].filter((part) => part !== undefined).join('.'),
          ])
        return [column, [...new Set(from)].toSorted()] as const
      }),
  )
}

/** Events of one run are merged; a later one with more detail about a table wins. */
function merged(before: Map<string, Dataset>, after: Map<string, Dataset>): Map<string, Dataset> {
  for (const [name, next] of after) {
    const known = before.get(name)
    if (known === undefined && before.size >= MOST_DATASETS) break
    before.set(name, {
      name,
      columns: next.columns.length > 0 ? next.columns : (known?.columns ?? []),
      sources: next.sources.size > 0 ? next.sources : (known?.sources ?? new Map()),
    })
  }
  return before
}

function pageOf(job: Job): string {
  const facts = [
    job.outputs.size > 0 && `Writes ${[...job.outputs.keys()].join(', ')}.`,
    job.inputs.size > 0 && `Reads ${[...job.inputs.keys()].join(', ')}.`,
    job.owners.length > 0 && `Owned by ${job.owners.join(', ')}.`,
    job.code !== '' && `<${job.code}>`,
  ].filter((fact) => typeof fact === 'string')
  const outputs = [...job.outputs.values()]
    .filter(({ columns, sources }) => columns.length + sources.size > 0)
    .slice(0, MOST_DESCRIBED)
    .map((output) => [`## ${oneLine(output.name)}`, '', ...columnLines(output)].join('\n'))
  const text = [
    `# ${oneLine(job.name)}`,
    oneLine(facts.join(' ')),
    ...(job.about === '' ? [] : [cutWhole(job.about, 2_000)]),
    ...outputs,
    ...(job.sql === '' ? [] : [['## SQL', '', '```sql', cutWhole(job.sql, 20_000), '```'].join('\n')]),
  ]
  return `${withoutHidden(cutWhole(text.join('\n\n'), 200_000))}\n`
}

function columnLines({ columns, sources }: Dataset): readonly string[] {
  const named = new Set(columns.map(({ name }) => name))
  const all = [
    ...columns,
    ...[...sources.keys()].filter((name) => !named.has(name)).map((name) => ({ name, type: '', about: '' })),
  ]
  return [
    '| column | type | from | about |',
    '| --- | --- | --- | --- |',
    ...all.map(({ name, type, about }) => {
      const cells = [name, type, (sources.get(name) ?? []).join(', '), about]
      return `| ${cells.map(cell).join(' | ')} |`
    }),
  ]
}

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const cell = (text: string): string => oneLine(text).replaceAll('|', String.raw`\|`)
