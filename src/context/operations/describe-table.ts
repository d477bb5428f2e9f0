import { z } from 'zod'
import { didYouMean, unknownName } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { defineOperation } from '../../operations/operation.ts'
import { unframe } from '../domain/context-project/framed-file.ts'
import { compiledTables, tablesNamed, type FoundTable } from './list-tables.ts'

export const describeTable = defineOperation({
  name: 'describe_table',
  title: 'Describe a table',
  summary: 'Everything the context says of one table: columns, keys, how to use it, first rows, profile.',
  searchHint: 'table columns, keys, sample rows',
  effect: 'read',
  words: 'context',
  needs: ['context'],
  onServer: {},
  positional: ['table'],
  input: {
    table: z.string().min(1).max(400).describe('schema.table, or the table alone where that is clear.'),
    database: z
      .string()
      .max(100)
      .optional()
      .describe('Its name in ken.yaml, where several databases have such a table.'),
    documents: z.array(z.string()).optional().describe('Only these, e.g. columns.'),
  },
  output: {
    database: z.string(),
    table: z.string(),
    stale: z.boolean(),
    as_of: z.string(),
    documents: z.array(z.object({ name: z.string(), path: z.string(), text: z.string() })),
  },
  examples: [
    { title: 'A table', input: { table: 'orders' } },
    { title: 'Only its columns', input: { table: 'main.orders', database: 'shop', documents: ['columns'] } },
  ],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const { table, path, stale, asOf } = chooseTable(await compiledTables(project), input)
    const files = (await project.files.list(path)).filter((file) => file.path.endsWith('.md'))
    const named = files.map((file) => ({ path: file.path, name: file.path.slice(path.length + 1, -3) }))
    const wanted = named.filter(({ name }) => input.documents?.includes(name) ?? true)
    const documents = await Promise.all(
      wanted.map(async (file) => {
        const text = await project.files.read(file.path)
        return { ...file, text: unframe(text) ?? text }
      }),
    )
    return { database: table.connection, table: `${table.schema}.${table.name}`, stale, as_of: asOf, documents }
  },
  render: (output) =>
    [
      output.stale || output.as_of === ''
        ? `This description is old: its database could not be read since ${output.as_of}.`
        : `As of ${output.as_of.slice(0, 16).replace('T', ' ')} UTC.`,
      ...output.documents.map(({ text }) => text.trim()),
    ].join('\n\n'),
})

export function chooseTable(
  tables: readonly FoundTable[],
  { table: name, database }: { table: string; database?: string | undefined },
): FoundTable {
  const databases = [...new Set(tables.map(({ table }) => table.connection))]
  if (database !== undefined && databases.length > 0 && !databases.includes(database))
    throw unknownName('database', database, databases)
  const fits = tablesNamed(tables, name).filter(({ table }) => database === undefined || table.connection === database)
  const [found, second] = fits
  if (found === undefined)
    throw new AppError('not_found', `The context has no table "${name}".`, {
      hint:
        tables.length === 0
          ? 'Run `ken sync` first.'
          : didYouMean(
              name,
              tables
                .map(({ table }) => (name.includes('.') ? `${table.schema}.${table.name}` : table.name))
                .slice(0, 200),
            ),
    })
  if (second !== undefined)
    throw new AppError('conflict', `"${name}" matches several tables.`, {
      hint: `Use one of: ${fits.map(({ table }) => `${table.connection}.${table.schema}.${table.name}`).join(', ')}.`,
    })
  return found
}
