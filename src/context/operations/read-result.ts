import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation } from '../../operations/operation.ts'
import { markdownTable } from '../domain/results/markdown-table.ts'
import { cell, keptResult, queryId, redactRows } from './kept-result.ts'

export const readResult = defineOperation({
  name: 'read_result',
  title: 'Read on in a result',
  summary: `More rows of an ${operationNamed('execute_sql')} answer, by its query id, while it is kept (an hour).`,
  forPeople: `Show more rows of a ${operationNamed('run_sql')} result by its query id (kept for an hour).`,
  details:
    'Checks the statement again against the current context, and masks secrets again. Nothing runs on the database.',
  searchHint: 'next page of query rows',
  effect: 'read',
  words: 'database',
  needs: ['context'],
  onServer: {},
  positional: ['query_id'],
  input: {
    query_id: queryId,
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
    const { database, columns, rows, cut } = await keptResult(project, input.query_id)
    const masked = await redactRows(project, rows.slice(input.offset, input.offset + input.limit))
    return { database, columns, rows: masked, offset: input.offset, row_count: rows.length, cut }
  },
  render(output) {
    const last = output.offset + output.rows.length
    const extent =
      output.rows.length === 0
        ? `No rows there; ${plural(output.row_count, 'row')} are kept.`
        : `Rows ${output.offset + 1} to ${last} of ${output.row_count}${output.cut ? ', and the result is longer than what was read' : ''}.`
    return [...markdownTable(output.columns, output.rows), '', extent].join('\n')
  },
})
