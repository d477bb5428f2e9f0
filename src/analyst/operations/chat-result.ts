import { z } from 'zod'
import { markdownTable } from '../../context/domain/results/markdown-table.ts'
import { cell, queryId } from '../../context/operations/kept-result.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { chatField, readableChat } from './chat-named.ts'

export const chatResult = defineOperation({
  name: 'chat_result',
  title: 'Show a result of a chat',
  summary: 'Show the statement and rows of a query in a chat.',
  details:
    'Kept as long as the chat is, at most 5,000 rows of each query, with secrets masked. Nothing runs at the database.',
  effect: 'read',
  words: 'database',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['chat', 'query_id'],
  input: {
    chat: chatField,
    query_id: queryId,
    offset: z.number().int().min(0).default(0).describe('Rows to skip.'),
    limit: z.number().int().min(1).max(5_000).default(100),
  },
  output: {
    query_id: z.string(),
    database: z.string(),
    sql: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(cell)),
    offset: z.number(),
    kept: z.number().describe('Rows that are kept.'),
    row_count: z.number().describe('Rows that were read.'),
    cut: z.boolean().describe('Whether rows were omitted.'),
    at: z.string(),
  },
  examples: [{ title: 'The rows of a query', input: { chat: 'last', query_id: 'q_a03035599fd4' } }],
  async run(ctx, input) {
    const { chat } = await readableChat(ctx, input.chat, 'any')
    const { queries } = await ctx.analystState()
    const found = await queries.find(chat.id, input.query_id)
    if (found === undefined)
      throw new AppError('not_found', `This chat has no query ${input.query_id}.`, {
        hint: 'The steps of its answers contain the ids.',
      })
    const { database, sql, columns, rows, rowCount, cut, at } = found
    return {
      query_id: found.id,
      database,
      sql,
      columns: columns.map((column) => ({ ...column })),
      rows: rows.slice(input.offset, input.offset + input.limit).map((row) => [...row]),
      offset: input.offset,
      kept: rows.length,
      row_count: rowCount,
      cut,
      at,
    }
  },
  render: ({ sql, columns, rows, offset, kept, row_count, cut }) =>
    [
      sql,
      '',
      ...markdownTable(columns, rows),
      '',
      rows.length === 0
        ? `No rows there; ${plural(kept, 'row')} are kept.`
        : `Rows ${offset + 1} to ${offset + rows.length} of ${row_count}${cut ? ', and the result is longer than what was read' : ''}.`,
    ].join('\n'),
})
