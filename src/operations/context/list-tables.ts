import { z } from 'zod'
import type { CompiledTable } from '../../core/context-project/manifest.ts'
import { fitsName } from '../../core/context-project/name-glob.ts'
import { operationNamed } from '../../core/named-operation.ts'
import { table } from '../../core/view/table.ts'
import { PLAIN } from '../../core/view/view.ts'
import type { ContextProject } from '../../ports/context-project.ts'
import { defineOperation } from '../operation.ts'

export const listTables = defineOperation({
  name: 'list_tables',
  title: 'List the tables of the context',
  summary: 'List the tables that were compiled into the context, with rows, columns and what they hold.',
  searchHint: 'database schema, which tables',
  effect: 'read',
  words: 'context',
  positional: ['match'],
  input: {
    match: z.string().max(200).optional().describe('A glob on schema.table.'),
    database: z.string().max(100).optional().describe('A database by its name in ken.yaml.'),
    limit: z.number().int().min(1).max(1_000).default(200),
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
  },
  examples: [{ title: 'All of them', input: {} }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const found = (await compiledTables(project)).filter(
      ({ table }) =>
        (input.database === undefined || table.connection === input.database) &&
        (input.match === undefined || fitsName(`${table.schema}.${table.name}`, input.match)),
    )
    const tables = await Promise.all(
      found.slice(0, input.limit).map(async ({ table, path, stale, asOf }) => ({
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
    return { tables, total: found.length }
  },
  render(output, _input, view = PLAIN) {
    if (output.total === 0) return `No tables yet. ${operationNamed('sync_sources')} compiles them.`
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
    ].join('\n')
  },
})

export interface FoundTable {
  readonly table: CompiledTable
  /** Its folder. */
  readonly path: string
  readonly stale: boolean
  /** When its database was last asked. */
  readonly asOf: string
}

export async function compiledTables(project: ContextProject): Promise<readonly FoundTable[]> {
  const entries = [...(await project.tree.load()).values()]
  return entries.flatMap(({ table, files, stale, checked_at }) =>
    table === undefined
      ? []
      : [
          {
            table,
            path: files[0]?.path.replace(/\/[^/]*$/, '') ?? '',
            stale: stale !== undefined,
            asOf: momentOf(checked_at),
          },
        ],
  )
}

/** A manifest may have come with a clone: what is not a time is not shown as one. */
const momentOf = (text: string): string => {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}
