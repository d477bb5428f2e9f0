import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation } from '../../operations/operation.ts'
import type { CompiledTable, Manifest, ManifestEntry } from '../domain/context-project/manifest.ts'
import { fitsName } from '../domain/context-project/name-glob.ts'
import { linkSchema } from '../link-schema.ts'
import type { ContextProject } from '../ports/context-project.ts'

export const listTables = defineOperation({
  name: 'list_tables',
  title: 'List the tables of the context',
  summary: 'List the tables that were compiled into the context, with rows, columns and what they hold.',
  searchHint: 'database schema, which tables',
  effect: 'read',
  words: 'context',
  needs: ['context', 'record'],
  onServer: {},
  positional: ['match'],
  input: {
    match: z.string().max(4_000).optional().describe('A glob on schema.table, or a question.'),
    database: z.string().max(100).optional().describe('A database by its name in ken.yaml.'),
    question: z.string().min(1).max(4_000).optional().describe('Only tables that it needs, surest first.'),
    tokens: z.number().int().min(1).max(100_000).optional().describe('With question: columns too, until this is used.'),
    limit: z.number().int().min(1).max(1_000).optional().describe('200; for a question 10.'),
  },
  output: {
    tables: z.array(
      z.object({
        database: z.string(),
        table: z.string(),
        kind: z.string(),
        rows: z.number().optional(),
        columns: z.number(),
        comment: z.string().optional(),
        path: z.string(),
        stale: z.boolean(),
        as_of: z.string(),
      }),
    ),
    total: z.number(),
    compiled: z.number().describe('Tables in the context.'),
    columns: z.string().optional().describe('Documented facts about the relevant columns.'),
  },
  examples: [
    { title: 'All of them', input: {} },
    { title: 'Tables for a question', input: { question: 'How much did each customer spend?', tokens: 1000 } },
  ],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const known = await compiledTables(project)
    const ofDatabase = ({ table }: FoundTable): boolean =>
      input.database === undefined || table.connection === input.database
    const matching = known.filter(
      (one) =>
        ofDatabase(one) &&
        (input.match === undefined || fitsName(`${one.table.schema}.${one.table.name}`, input.match)),
    )
    const question = input.question ?? (matching.length === 0 ? questionIn(input.match) : undefined)
    const linked = question === undefined ? undefined : await linkTo(ctx, project, { ...input, question })
    const candidates = question === input.match ? known.filter(ofDatabase) : matching
    const found = linked === undefined ? matching : ranked(candidates, linked.entries, input.limit)
    const tables = await Promise.all(
      found.slice(0, input.limit ?? MOST).map(async ({ table, path, stale, asOf }) => ({
        database: table.connection,
        table: `${table.schema}.${table.name}`,
        kind: table.kind,
        ...(table.rows !== undefined && { rows: table.rows }),
        columns: table.columns.length,
        ...(table.comment !== undefined && { comment: (await project.redact(table.comment)).text }),
        path,
        stale,
        as_of: asOf,
      })),
    )
    const columns = input.tokens === undefined ? undefined : await linked?.pack(input.tokens)
    return { tables, total: found.length, compiled: known.length, ...(columns !== undefined && { columns }) }
  },
  render(output, { match, question }, view = PLAIN) {
    if (output.compiled === 0) return `No tables yet. ${operationNamed('sync_sources')} compiles them.`
    const all = `${operationNamed('list_tables')} without it lists all.`
    if (output.total === 0 && (question ?? questionIn(match)) !== undefined)
      return `No table of ${output.compiled.toLocaleString('en-US')} matches the question. ${all}`
    if (output.total === 0)
      return `No table of ${output.compiled.toLocaleString('en-US')} matches "${match ?? ''}". ${all}`
    const rows = output.tables.map((t) => [
      `${t.database} ${t.table}`,
      t.rows === undefined ? t.kind : `${t.rows.toLocaleString('en-US')} rows`,
      `${t.columns} columns`,
      t.comment ?? '',
      t.stale ? 'stale' : '',
    ])
    const columns = [
      { tone: 'title' },
      { align: 'right' },
      { align: 'right', tone: 'dim' },
      { shrinks: true },
      { tone: 'warning' },
    ] as const
    return [
      ...(view.reader === 'person'
        ? table(rows, columns, view)
        : rows.map((cells) => cells.filter(Boolean).join(' · '))),
      ...(output.total > output.tables.length ? [`and ${output.total - output.tables.length} more`] : []),
      ...(output.columns === undefined ? [] : ['', output.columns]),
    ].join('\n')
  },
})

const MOST = 200
const MOST_FOR_A_QUESTION = 10

/** Whether a glob is a question: several words without `*`. */
const questionIn = (match: string | undefined): string | undefined =>
  match !== undefined && /\S\s+\S/.test(match) && !match.includes('*') ? match : undefined

const SMALL_SCHEMA = 20

/** The linked candidates, in the given order; in a small schema without a limit, the other tables follow. */
function ranked(
  candidates: readonly FoundTable[],
  entries: readonly ManifestEntry[],
  limit: number | undefined,
): readonly FoundTable[] {
  const places = new Map(entries.flatMap(foundTable).map(({ path }, at) => [path, at]))
  const isSmall = limit === undefined && candidates.length <= SMALL_SCHEMA
  const place = ({ path }: FoundTable): number => places.get(path) ?? Number.POSITIVE_INFINITY
  return candidates
    .filter(({ path }) => isSmall || places.has(path))
    .toSorted((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)))
}

async function linkTo(
  ctx: Given<'record'>,
  project: ContextProject,
  { question, database, limit }: { question: string; database?: string | undefined; limit?: number | undefined },
): ReturnType<typeof linkSchema> {
  return linkSchema(
    project,
    { question, database, most: limit ?? MOST_FOR_A_QUESTION, isFilled: limit === undefined },
    await ctx.bundledEmbedder(),
  )
}

export interface FoundTable {
  readonly table: CompiledTable
  /** Folder of the table's files. */
  readonly path: string
  readonly stale: boolean
  /** When its database was last queried. */
  readonly asOf: string
}

/** Tables matching `orders`, `main.orders` or `shop.main.orders`, case-insensitive. */
export function tablesNamed(tables: readonly FoundTable[], name: string): readonly FoundTable[] {
  const wanted = name.toLowerCase()
  return tables.filter(({ table }) =>
    [table.name, `${table.schema}.${table.name}`, `${table.connection}.${table.schema}.${table.name}`].some(
      (one) => one.toLowerCase() === wanted,
    ),
  )
}

export const compiledTables = async (project: ContextProject): Promise<readonly FoundTable[]> =>
  tablesIn(await project.tree.load())

export const tablesIn = (manifest: Manifest): readonly FoundTable[] => [...manifest.values()].flatMap(foundTable)

/** Returns an empty list if the entry is not a table. */
const foundTable = ({ table, files, stale, checked_at }: ManifestEntry): readonly FoundTable[] =>
  table === undefined
    ? []
    : [
        {
          table,
          path: files[0]?.path.replace(/\/[^/]*$/, '') ?? '',
          stale: stale !== undefined,
          asOf: momentOf(checked_at),
        },
      ]

/** A manifest may come from a clone: an invalid time becomes an empty text. */
const momentOf = (text: string): string => {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}
