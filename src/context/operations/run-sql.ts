import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import { inBytes } from '../../kernel/domain/text.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { readHeader } from '../domain/examples/read-examples.ts'
import { formatOfFile, isData, RESULT_FORMATS, resultText, type ResultFormat } from '../domain/results/result-format.ts'
import type { QueryResult } from '../domain/sql/query.ts'
import { splitStatements } from '../domain/sql/split-statements.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { cell, keptResult, queryId, redactRows } from './kept-result.ts'
import { refusal, renderResult, tellOwn } from './render-result.ts'
import { chooseDatabase, plainCell, runStatement, type Refused } from './run-statement.ts'
import { saveExample } from './save-example.ts'

const SHOWN_ROWS = 100

const sqlInput = {
  sql: z.string().max(100_000).optional().describe('The statement, a .sql file, or - for standard input.'),
  database: z.string().max(100).optional().describe('Its name in ken.yaml; required if there are several.'),
  file: z.string().min(1).max(4096).optional().describe('Read the statement from this file.'),
  result: queryId.optional().describe('Show an earlier result by its id (kept for an hour) without running it again.'),
  format: z
    .enum(RESULT_FORMATS)
    .optional()
    .describe(
      'Output format; default: by the extension of --output, else a table at a terminal and Markdown in a pipe.',
    ),
  output: z.string().min(1).max(4096).optional().describe('Write all rows to this file.'),
  force: z.boolean().default(false).describe('Replace that file if it exists.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(`Rows to show; ${SHOWN_ROWS} in a table or Markdown.`),
  all: z.boolean().default(false).describe('Show every row.'),
  expanded: z.boolean().default(false).describe('One line per column instead of one per row.'),
  spreadsheet: z
    .boolean()
    .default(false)
    .describe('CSV: prefix an apostrophe to text that a spreadsheet would run as a formula.'),
  save: z.string().min(3).max(300).optional().describe('Save the statement as an example for this question.'),
  name: z.string().min(1).max(100).optional().describe('File name in queries/; default: from the question.'),
  pager: z.boolean().default(true).describe('Page long answers through $PAGER at a terminal.'),
}

const sqlOutput = {
  database: z.string(),
  refused: z.object({ code: z.string(), reason: z.string(), hint: z.string() }).optional(),
  query_id: z.string().optional(),
  format: z.enum(RESULT_FORMATS).optional().describe('The requested format; by default it depends on the reader.'),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(cell)).describe('The rows that are shown; none where they went to a file or a pipe.'),
  text: z.string().optional().describe('The rows in a machine-readable format.'),
  base64: z.string().optional().describe('The file, for a page.'),
  row_count: z.number().describe('Rows of the result that were read.'),
  cut: z.boolean().describe('Whether rows were omitted.'),
  written: z.object({ path: z.string(), format: z.string(), rows: z.number(), bytes: z.number() }).optional(),
  saved: z.string().optional().describe('The file that contains the statement as an example.'),
  notes: z.array(z.string()).describe('Masked or cut values, and why.'),
  milliseconds: z.number().describe('Time in the engine; 0 for a stored result.'),
}

export type SqlInput = z.output<z.ZodObject<typeof sqlInput>>
export type SqlOutput = z.output<z.ZodObject<typeof sqlOutput>>

export const runSql = defineOperation({
  name: 'run_sql',
  title: 'Ask a database',
  summary: 'Run one read-only SQL statement on a database of the context.',
  forPeople: 'Query a database with read-only SQL; without a statement, a prompt.',
  details:
    'Only tables of the context and only statements that read, inside limits of rows, bytes and time; secrets are masked in whatever format. ' +
    'The statement comes from the line, a file, or standard input. CSV, JSON, JSON lines and Parquet hold every row that could be read, ' +
    'up to a million rows and 100 MB. A file is written whole or not at all, and replaced only with --force.',
  effect: 'write',
  fromPage: 'free',
  words: 'database',
  needs: ['context', 'machine'],
  asGiven: true,
  withoutRoom: true,
  hiddenFrom: FOR_PEOPLE,
  holdsFile: ['base64', 'text'],
  positional: ['sql'],
  input: sqlInput,
  output: sqlOutput,
  examples: [
    {
      title: 'Revenue by kind of order',
      input: { sql: 'SELECT note, count(*) AS orders, sum(amount) AS revenue FROM orders GROUP BY note ORDER BY note' },
    },
    { title: 'For a spreadsheet', input: { sql: 'SELECT id, amount FROM orders', format: 'csv', spreadsheet: true } },
    { title: 'A writing statement is refused', input: { sql: 'DELETE FROM orders' } },
  ],
  async run(ctx, input) {
    refuseFiles(ctx, input)
    const project = await ctx.contextProject()
    const given = input.result === undefined ? await statementOf(ctx, input) : undefined
    const wanted = input.output === undefined || input.output === '-' ? undefined : ctx.pathNamed(input.output)
    // Checked before the statement runs, so that no rows are fetched that cannot be written.
    if (wanted !== undefined && !input.force && (await ctx.files.writtenOn(wanted)) !== undefined)
      throw new AppError('conflict', `${wanted} already exists.`, { hint: 'Replace it with --force.' })
    const format = input.format ?? (wanted === undefined ? undefined : (formatOfFile(wanted) ?? 'csv'))
    const all = input.all || wanted !== undefined || (format !== undefined && isData(format))
    const found = await (given === undefined
      ? resultKept(project, input.result!)
      : asked(ctx, project, { ...given, all }))
    const told = {
      database: found.database,
      columns: [],
      rows: [],
      row_count: 0,
      cut: false,
      notes: [],
      milliseconds: 0,
    }
    if ('refused' in found) {
      if (ctx.pipe !== undefined && format !== undefined && isData(format)) ctx.progress(refusal(found.refused), 0, 0)
      return { ...told, ...(format !== undefined && { format }), refused: { ...found.refused } }
    }
    const { result } = found
    const most = input.limit ?? (all ? Infinity : SHOWN_ROWS)
    const shown = {
      columns: result.columns,
      rows: result.rows.length > most ? result.rows.slice(0, most) : result.rows,
    }
    const answer = {
      ...told,
      query_id: found.query_id,
      ...(format !== undefined && { format }),
      columns: result.columns.map(({ name, type }) => ({ name, type })),
      row_count: result.rows.length,
      cut: result.truncated,
      notes: [...found.notes, ...cutNote(result, shown.rows.length, all)],
    }
    // Writes the file first, so that a failed write leaves nothing half done.
    const written =
      wanted === undefined ? {} : { written: await writeRows(ctx, shown, { path: wanted, format: format!, input }) }
    const saved =
      input.save === undefined
        ? {}
        : { saved: await saveExample(project, { question: input.save, name: input.name, ...found }) }
    const rows = wanted === undefined ? await showRows(ctx, shown, { format, input, notes: answer.notes }) : {}
    return { ...answer, ...written, ...saved, ...rows, milliseconds: found.milliseconds }
  },
  own: tellOwn,
  isProse: ({ format }) => format === undefined || !isData(format),
  isPaged: ({ pager }) => pager,
  render: renderResult,
  exit: (output) => (output.refused === undefined ? 0 : 1),
})

/** A page gets the rows themselves: files it names must not be read or written on a server. */
function refuseFiles({ origin }: Given, { sql, file, output }: SqlInput): void {
  if (origin.surface === 'cli') return
  if (file !== undefined || output !== undefined || isFileName(sql))
    throw new AppError('forbidden', 'A file can only be given at a terminal.', { hint: 'Send the statement.' })
}

const isFileName = (sql = ''): boolean => /^[^\s;'"()]+\.sql$/i.test(sql)

interface GivenStatement {
  readonly sql: string
  readonly database: string | undefined
}

/** The statement from the command line, a file or standard input; a file may name its database. */
async function statementOf(ctx: Given<'machine'>, input: SqlInput): Promise<GivenStatement> {
  if (input.file !== undefined && input.sql !== undefined)
    throw new AppError('invalid_input', 'Pass a statement or a file, not both.')
  const named = input.file ?? (isFileName(input.sql) ? input.sql : undefined)
  const piped = ctx.origin.surface === 'cli' ? () => ctx.files.input() : () => ''
  const text = named === undefined ? (input.sql ?? (await piped())) : await readNamed(ctx, named)
  if (text.trim() === '')
    throw new AppError('invalid_input', 'No statement given.', {
      hint: 'E.g. `ken sql "SELECT count(*) FROM orders"`.',
    })
  const { statements } = splitStatements(text)
  const header = readHeader(statements[0]?.comments ?? [])
  return { sql: text.replace(/^\uFEFF/, ''), database: input.database ?? header.database }
}

async function readNamed(ctx: Given<'machine'>, name: string): Promise<string> {
  const text = await ctx.files.read(ctx.pathNamed(name))
  if (text === undefined) throw new AppError('not_found', notFound('File', name))
  return text
}

interface Found {
  readonly database: string
  readonly sql: string
  readonly query_id: string
  readonly result: QueryResult
  readonly notes: readonly string[]
  readonly milliseconds: number
}

async function asked(
  ctx: Given,
  project: ContextProject,
  { sql: text, database: named, all }: GivenStatement & { all: boolean },
): Promise<Found | { database: string; refused: Refused }> {
  const database = chooseDatabase(project, named)
  const ran = await runStatement(ctx, {
    project,
    database,
    sql: text,
    all,
    reader: isPerson(ctx.origin) ? 'person' : 'model',
  })
  return { database, sql: text, ...ran }
}

async function resultKept(project: ContextProject, id: string): Promise<Found> {
  const { database, sql: text, columns, rows, cut, notes } = await keptResult(project, id)
  return {
    database,
    sql: text,
    query_id: id,
    result: { columns, rows: await redactRows(project, rows), truncated: cut },
    notes,
    milliseconds: 0,
  }
}

type Rows = Pick<QueryResult, 'columns' | 'rows'>

const bytesOf = async (
  ctx: Given<'machine'>,
  rows: Rows,
  { format, input }: { format: ResultFormat; input: SqlInput },
) => (format === 'parquet' ? (await ctx.parquet()).write(rows, ctx.signal) : resultText(rows, format, input))

async function writeRows(
  ctx: Given<'machine'>,
  rows: Rows,
  { path, format, input }: { path: string; format: ResultFormat; input: SqlInput },
): Promise<NonNullable<SqlOutput['written']>> {
  const bytes = await bytesOf(ctx, rows, { format, input })
  await ctx.files.write(path, bytes, { replace: input.force })
  return {
    path,
    format,
    rows: rows.rows.length,
    bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes).length : bytes.length,
  }
}

/** In a pipe, data formats are written unchanged; Ken's notes go to standard error. */
async function showRows(
  ctx: Given<'machine'>,
  rows: Rows,
  { format, input, notes }: { format: ResultFormat | undefined; input: SqlInput; notes: readonly string[] },
): Promise<Partial<SqlOutput>> {
  if (format === undefined || !isData(format)) return { rows: rows.rows.map((row) => row.map(plainCell)) }
  if (ctx.pipe !== undefined) {
    await ctx.pipe(await bytesOf(ctx, rows, { format, input }))
    for (const note of notes) ctx.progress(note, 0, 0)
    return { notes: [] }
  }
  if (ctx.origin.surface === 'app') return forPage(await bytesOf(ctx, rows, { format, input }))
  if (format === 'parquet')
    throw new AppError('invalid_input', 'Parquet can’t be shown on a screen.', {
      hint: 'Set a file with --output.',
    })
  return { text: resultText(rows, format, input) }
}

// As much as a page can hold at once, including the response around it.
const MOST_SENT = 50_000_000

/** Returns exact bytes for a download, because texts of a response lose invisible characters. */
function forPage(written: string | Uint8Array): Partial<SqlOutput> {
  const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written
  if (bytes.length > MOST_SENT)
    throw new AppError('invalid_input', `The rows are too large for a page (${inBytes(bytes.length)}).`, {
      hint: 'Write them to a file at a terminal: `ken sql "…" --output rows.parquet`.',
    })
  return { base64: Buffer.from(bytes).toString('base64') }
}

function cutNote({ rows, truncated }: QueryResult, shown: number, all: boolean): string[] {
  const read = rows.length.toLocaleString('en-US')
  const isCut = rows
    .slice(0, shown)
    .some((row) => row.some((cell) => typeof cell === 'string' && CUT.test(cell.slice(-40))))
  return [
    ...(truncated && shown === rows.length
      ? [`These are the first ${read} rows; the result is longer${all ? ', and more could not be read at once' : ''}.`]
      : []),
    ...(isCut
      ? [`Cells that are too long are cut, and say so at their end${all ? '' : '; --all and files show more of them'}.`]
      : []),
  ]
}

const CUT = /… \[cut: [\d,]+ characters\]$/
