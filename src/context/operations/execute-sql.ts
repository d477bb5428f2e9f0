import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation } from '../../operations/operation.ts'
import { markdownTable } from '../domain/results/markdown-table.ts'
import { columnFacts } from '../domain/sql/column-facts.ts'
import type { QueryResult } from '../domain/sql/query.ts'
import { cell } from './kept-result.ts'
import { chooseDatabase, plainCell, runStatement, type Ran, type StatementToRun } from './run-statement.ts'
import { statementCare, type StatementCare } from './statement-care.ts'
import { whyEmpty } from './why-empty.ts'

const SHOWN_CHARACTERS = 200_000

const facts = z.object({
  name: z.string(),
  nulls: z.number(),
  distinct: z.number(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  sum: z.number().optional(),
  mean: z.number().optional(),
})

const answer = {
  database: z.string(),
  refused: z.object({ code: z.string(), reason: z.string(), hint: z.string() }).optional(),
  query_id: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(cell)),
  shown: z.enum(['all', 'part']).describe('Whether these rows are the whole result.'),
  row_count: z.number().describe('Rows of the result that were read.'),
  cut: z.boolean().describe('Whether rows were omitted.'),
  aggregates: z.array(facts).describe('Over all rows that were read.'),
  notes: z.array(z.string()).describe('Masked or cut values, and why.'),
}

type Answer = z.output<z.ZodObject<typeof answer>>

export const executeSql = defineOperation({
  name: 'execute_sql',
  title: 'Ask a database',
  summary:
    'Run one reading SQL statement on a database of the context. Says whether the rows are all, with facts per column.',
  details:
    'Only tables of the context, only statements that read, inside limits of rows, bytes and time. The rows that were read are kept under the query id for an hour; ' +
    `${operationNamed('read_result')} reads on in them.`,
  searchHint: 'query database, count rows, analytics',
  effect: 'read',
  words: 'database',
  needs: ['analyst', 'context'],
  onServer: {},
  positional: ['sql'],
  input: {
    sql: z.string().min(1).max(100_000),
    database: z.string().max(100).optional().describe('Its name in ken.yaml; required if there are several.'),
    limit: z.number().int().min(1).max(1_000).default(100).describe('Rows to show.'),
  },
  output: answer,
  examples: [
    {
      title: 'Revenue by kind of order',
      input: { sql: 'SELECT note, count(*) AS orders, sum(amount) AS revenue FROM orders GROUP BY note' },
    },
    {
      title: 'The first rows of many',
      input: { sql: 'SELECT id, amount FROM orders ORDER BY id', database: 'shop', limit: 5 },
    },
    { title: 'A writing statement is refused', input: { sql: 'DELETE FROM orders' } },
  ],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const database = chooseDatabase(project, input.database)
    const statement = { project, database, sql: input.sql }
    const care = ctx.turn && statementCare(ctx.turn, statement)
    const held = await care?.before()
    const ran = held ? { refused: held } : await runWith(ctx, statement, care)
    if ('refused' in ran)
      return {
        database,
        refused: { ...ran.refused },
        columns: [],
        rows: [],
        shown: 'all' as const,
        row_count: 0,
        cut: false,
        aggregates: [],
        notes: [],
      }
    const { isEmpty, notes } = await whyEmpty(ctx, statement, ran.result)
    const advice = [...(isEmpty ? [NOTHING_FITS] : []), ...notes, ...(care?.found(isEmpty) ?? [])]
    await keepForTurn(ctx, statement, ran)
    return { database, query_id: ran.query_id, ...answerOf(ran.result, input.limit, [...ran.notes, ...advice]) }
  },
  render: renderAnswer,
  exit: (output) => (output.refused === undefined ? 0 : 1),
})

const NOTHING_FITS = 'No row fits the filters: a 0 or a blank here means that nothing was found.'

const runWith = (
  ctx: Given,
  statement: StatementToRun,
  care: StatementCare | undefined,
): ReturnType<typeof runStatement> =>
  runStatement(ctx, { ...statement, planned: care !== undefined }).catch(async (error: unknown) => {
    throw care === undefined ? error : await care.failed(error)
  })

// Data for charts and cited numbers; a page shows no more.
const KEPT_ROWS = 5_000

/** Keeps the analyst's results with its chat, so that charts, stories and numbers can be checked against them. */
async function keepForTurn(
  ctx: Given<'analyst'>,
  { database, sql }: StatementToRun,
  { query_id, result }: Ran,
): Promise<void> {
  if (ctx.turn === undefined) return
  const { queries } = await ctx.analystState()
  await queries.keep({
    chat: ctx.turn.chat,
    id: query_id,
    message: ctx.turn.message,
    database,
    sql,
    columns: result.columns.map(({ name, type }) => ({ name, type })),
    rows: result.rows.slice(0, KEPT_ROWS).map((row) => row.map(plainCell)),
    rowCount: result.rows.length,
    cut: result.truncated,
    at: ctx.clock.now().toISOString(),
  })
}

function answerOf(
  result: QueryResult,
  limit: number,
  notes: readonly string[],
): Omit<Answer, 'database' | 'query_id' | 'refused'> {
  const rows = firstRows(result, limit)
  const isAll = !result.truncated && result.rows.length === rows.length
  const isLong = rows.length < Math.min(limit, result.rows.length)
  return {
    columns: result.columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => row.map(plainCell)),
    shown: isAll ? 'all' : 'part',
    row_count: result.rows.length,
    cut: result.truncated,
    aggregates: columnFacts(result).map((one) => ({ ...one })),
    notes: [
      ...notes,
      ...(isLong
        ? [
            `Fewer rows than asked for are shown: together they would be longer than ${SHOWN_CHARACTERS.toLocaleString('en-US')} characters.`,
          ]
        : []),
    ],
  }
}

/** Up to the limit, and as many as are readable; at least one row. */
function firstRows({ rows }: QueryResult, limit: number): QueryResult['rows'] {
  let length = 0
  const end = rows
    .slice(0, limit)
    .findIndex(
      (row, i) =>
        (length += row.reduce<number>((sum, cell) => sum + String(cell).length, 0)) > SHOWN_CHARACTERS && i > 0,
    )
  return rows.slice(0, end < 0 ? limit : end)
}

function renderAnswer(output: Answer): string {
  if (output.refused !== undefined) return `Not run: ${output.refused.reason}. ${output.refused.hint}`
  const extent =
    output.shown === 'all'
      ? `All ${plural(output.row_count, 'row')}.`
      : `The first ${output.rows.length} of ${output.cut ? 'more than ' : ''}${output.row_count} rows: a part, not a sample. Do not count or add them up; ask again with an aggregate.`
  const aggregates =
    output.shown === 'all'
      ? []
      : [
          '',
          `Over the ${output.row_count} rows read:`,
          ...output.aggregates.map(
            ({ name, ...more }) =>
              `- ${name}: ${Object.entries(more)
                .map(([key, value]) => `${key} ${value}`)
                .join(', ')}`,
          ),
        ]
  return [
    ...markdownTable(output.columns, output.rows),
    '',
    `${extent} (${output.query_id})`,
    ...output.notes,
    ...aggregates,
  ].join('\n')
}
