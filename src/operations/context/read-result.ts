import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { operationNamed } from '../../core/named-operation.ts'
import { judgeStatement } from '../../core/sql/judge-statement.ts'
import { plural } from '../../core/text.ts'
import { defineOperation } from '../operation.ts'
import { allowedTables } from './sql-scope.ts'

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
const kept = z.object({
  database: z.string(),
  sql: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(cell)),
  cut: z.boolean(),
})

export const readResult = defineOperation({
  name: 'read_result',
  title: 'Read on in a result',
  summary: `More rows of an ${operationNamed('execute_sql')} answer, by its query id, while it is kept (an hour).`,
  forPeople: `More rows of an answer of ${operationNamed('execute_sql')}, by its query id, while it is kept (an hour).`,
  details:
    'The statement is judged again by what the context allows now, and secrets are masked again. Nothing runs at the database.',
  searchHint: 'next page of query rows',
  effect: 'read',
  words: 'database',
  positional: ['query_id'],
  input: {
    query_id: z.string().regex(/^q_[0-9a-f]{12}$/, 'an id looks like q_0123456789ab'),
    offset: z.number().int().min(0).default(0).describe('Rows to skip.'),
    limit: z.number().int().min(1).max(1_000).default(100),
  },
  output: {
    database: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(cell)),
    offset: z.number(),
    row_count: z.number(),
    cut: z.boolean(),
  },
  examples: [{ title: 'The rows after the first five', input: { query_id: 'q_a03035599fd4', offset: 5 } }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const text = await project.keptResult(input.query_id)
    if (text === undefined) throw gone(input.query_id)
    const { database, sql, columns, rows, cut } = kept.parse(JSON.parse(text))
    const warehouse = await project.warehouse(database)
    const verdict = judgeStatement(await warehouse.parse(sql), {
      dialect: warehouse.dialect,
      tables: await allowedTables(project, database),
    })
    if (!verdict.allowed)
      throw new AppError('forbidden', `The context no longer allows that statement: ${verdict.reason}.`, {
        hint: verdict.hint,
      })
    const shown = rows.slice(input.offset, input.offset + input.limit)
    const masked = await Promise.all(
      shown.map((row) =>
        Promise.all(row.map(async (value) => (typeof value === 'string' ? (await project.redact(value)).text : value))),
      ),
    )
    return { database, columns, rows: masked, offset: input.offset, row_count: rows.length, cut }
  },
  render(output) {
    const line = (values: readonly unknown[]): string =>
      `| ${values
        .map((value) =>
          String(value ?? '')
            .replaceAll('|', String.raw`\|`)
            .replaceAll('\n', ' '),
        )
        .join(' | ')} |`
    const last = output.offset + output.rows.length
    const extent =
      output.rows.length === 0
        ? `No rows there; ${plural(output.row_count, 'row')} are kept.`
        : `Rows ${output.offset + 1} to ${last} of ${output.row_count}${output.cut ? ', and the result is longer than what was read' : ''}.`
    return [
      line(output.columns.map(({ name }) => name)),
      line(output.columns.map(() => '---')),
      ...output.rows.map(line),
      '',
      extent,
    ].join('\n')
  },
})

const gone = (id: string): AppError =>
  new AppError('not_found', `No result is kept under ${id}.`, {
    hint: 'Results are kept for an hour. Run the statement again.',
  })
