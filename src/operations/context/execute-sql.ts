import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { operationNamed } from '../../core/named-operation.ts'
import { sha256 } from '../../core/sha256.ts'
import { columnFacts } from '../../core/sql/column-facts.ts'
import { judgeStatement } from '../../core/sql/judge-statement.ts'
import type { QueryResult } from '../../core/sql/query.ts'
import { inBytes, plural } from '../../core/text.ts'
import type { ContextProject } from '../../ports/context-project.ts'
import { defineOperation } from '../operation.ts'
import { FETCHED_CELL, redactAnswer, redactFailure } from './redact-answer.ts'
import { allowedTables } from './sql-scope.ts'

// What is kept under the query id; of it the first `limit` rows are shown.
// The time is that of query.timeout, which stands before every statement.
const LIMITS = { rows: 10_000, bytes: 20_000_000, milliseconds: 600_000, cell: FETCHED_CELL }
const SHOWN_CHARACTERS = 200_000

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
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
  cut: z.boolean().describe('The result is longer than what was read.'),
  aggregates: z.array(facts).describe('Over all rows that were read.'),
  notes: z.array(z.string()).describe('What is masked or cut, and why.'),
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
  positional: ['sql'],
  input: {
    sql: z.string().min(1).max(100_000),
    database: z.string().max(100).optional().describe('Its name in ken.yaml, where there are several.'),
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
    { title: 'What would write is refused, with the reason', input: { sql: 'DELETE FROM orders' } },
  ],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const database = chooseDatabase(project, input.database)
    const warehouse = await project.warehouse(database)
    const tables = await allowedTables(project, database)
    const parsed = await warehouse.parse(input.sql)
    const verdict = judgeStatement(parsed, { dialect: warehouse.dialect, tables })
    if (!verdict.allowed) {
      const { code, reason, hint } = verdict
      return {
        database,
        refused: { code, reason, hint },
        columns: [],
        rows: [],
        shown: 'all' as const,
        row_count: 0,
        cut: false,
        aggregates: [],
        notes: [],
      }
    }
    const asked = { project, statement: parsed.statements[0]!, tables }
    const found = await warehouse.query(verdict.sql, LIMITS, ctx.signal).catch(async (error: unknown) => {
      throw await redactFailure(error, asked)
    })
    const { result, notes } = await redactAnswer(found, asked)
    const query_id = `q_${sha256(`${database}\n${input.sql}`).slice(0, 12)}`
    const billed = found.billedBytes === undefined ? [] : [`The engine bills ${inBytes(found.billedBytes)} for it.`]
    const answered = answerOf(result, input.limit, [...notes, ...billed])
    await project.keepResult(
      query_id,
      JSON.stringify({ database, sql: input.sql, ...answered, rows: result.rows.map((row) => row.map(plainCell)) }),
    )
    return { database, query_id, ...answered }
  },
  render: renderAnswer,
  exit: (output) => (output.refused === undefined ? 0 : 1),
})

function chooseDatabase(project: ContextProject, name: string | undefined): string {
  const names = project.config.databases.map((database) => database.name)
  if (name !== undefined) return name
  if (names.length === 1) return names[0]!
  throw new AppError(
    'invalid_input',
    names.length === 0 ? 'The context has no database.' : 'The context has several databases.',
    { hint: names.length === 0 ? 'Add one to ken.yaml.' : `Say which: ${names.join(', ')}.` },
  )
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

/** Up to the limit, and as many as can be read; one row is always shown. */
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

const plainCell = (value: QueryResult['rows'][number][number]): string | number | boolean | null =>
  typeof value === 'bigint' ? String(value) : value

function renderAnswer(output: Answer): string {
  if (output.refused !== undefined) return `Not run: ${output.refused.reason}. ${output.refused.hint}`
  const line = (values: readonly unknown[]): string =>
    `| ${values
      .map((value) =>
        String(value ?? '')
          .replaceAll('|', String.raw`\|`)
          .replaceAll('\n', ' '),
      )
      .join(' | ')} |`
  const table = [
    line(output.columns.map(({ name }) => name)),
    line(output.columns.map(() => '---')),
    ...output.rows.map(line),
  ]
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
  return [...table, '', `${extent} (${output.query_id})`, ...output.notes, ...aggregates].join('\n')
}
