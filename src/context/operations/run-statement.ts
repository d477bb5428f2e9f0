import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { inBytes } from '../../kernel/domain/text.ts'
import type { Context } from '../../operations/context.ts'
import { bindNames, type BoundValue } from '../domain/sql/bind-names.ts'
import { cutCell, type Cell, type QueryLimits, type QueryResult } from '../domain/sql/query.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { fetchedCell, redactAnswer, redactFailure, SHOWN_CELL, WHOLE_CELL } from './redact-answer.ts'
import { judgeInContext, type Reader } from './sql-scope.ts'

export interface Refused {
  readonly code: string
  readonly reason: string
  readonly hint: string
}

/** Executed statement: its rows without secrets, and the id under which they are kept. */
export interface Ran {
  readonly query_id: string
  readonly result: QueryResult
  readonly notes: readonly string[]
  /** Time in the engine. */
  readonly milliseconds: number
}

// Limits of the result kept under the query id. The effective time limit is query.timeout, applied to every statement.
const KEPT = {
  rows: 10_000,
  bytes: 20_000_000,
  milliseconds: 600_000,
  cell: fetchedCell(SHOWN_CELL),
} satisfies QueryLimits
/** Limits of a file export: as much as one process can hold at once. */
const EXPORTED: QueryLimits = {
  ...KEPT,
  rows: 1_000_000,
  bytes: 100_000_000,
  cell: fetchedCell(WHOLE_CELL),
}

const DECLARE = 'A statement uses a declared parameter as :name, in place of a value.'

export interface StatementToRun {
  readonly project: ContextProject
  readonly database: string
  readonly sql: string
  /** Fetches up to the limits of a file export. */
  readonly all?: boolean
  /** The engine plans it first, if it can, so that an invalid statement costs nothing. */
  readonly planned?: boolean
  /** A person sees personal data that is masked for agents, except in results stored by id, which agents can read. */
  readonly reader?: Reader
  /** Values of the names `:name` in it, which the driver binds. */
  readonly values?: ReadonlyMap<string, BoundValue>
  /** Not kept for reading by id, because its id is not shown. */
  readonly unkept?: boolean
}

/** The only way to the rows of a database: first the gate, then the engine within its limits, then redaction. */
export async function runStatement(
  ctx: Pick<Context, 'signal' | 'clock'>,
  { project, database, sql, values, all = false, planned = false, unkept = false, reader = 'model' }: StatementToRun,
): Promise<{ readonly refused: Refused } | Ran> {
  const warehouse = await project.warehouse(database)
  const bound = values === undefined ? { sql, values: [] } : bindNames(sql, values, warehouse.dialect)
  if ('error' in bound) return { refused: { code: 'parameter', reason: bound.error, hint: DECLARE } }
  const parsed = await warehouse.parse(bound.sql)
  const judged = (by: Reader) => judgeInContext(project, { database, parsed, dialect: warehouse.dialect, reader: by })
  const { verdict, tables } = await judged(reader)
  if (!verdict.allowed) {
    const { code, reason, hint } = verdict
    return { refused: { code, reason, hint } }
  }
  if (bound.values.length > 0 && parsed.statements[0]!.kind !== 'query')
    return { refused: { code: 'parameter', reason: 'only a SELECT takes parameters', hint: 'Write it as a SELECT.' } }
  const shownCell = all ? WHOLE_CELL : SHOWN_CELL
  const asked = { project, statement: parsed.statements[0]!, tables, shownCell }
  const run = (text: string, limits: QueryLimits): Promise<QueryResult> =>
    warehouse.query(text, limits, ctx.signal, bound.values).catch(async (error: unknown) => {
      throw await redactFailure(error, asked)
    })
  const plan = planned && parsed.statements[0]!.kind === 'query' ? warehouse.dialect.spelling.explained : undefined
  if (plan !== undefined) await run(plan(verdict.sql), KEPT)
  const started = ctx.clock.now().getTime()
  const found = await run(verdict.sql, all ? EXPORTED : KEPT)
  const milliseconds = ctx.clock.now().getTime() - started
  const { result, notes } = await redactAnswer(found, asked)
  const query_id = `q_${sha256([database, sql, ...bound.values.map((value) => JSON.stringify(value))].join('\n')).slice(0, 12)}`
  const billed = found.billedBytes === undefined ? [] : [`The engine bills ${inBytes(found.billedBytes)} for it.`]
  const told = [...notes, ...billed]
  const forAgents = reader === 'model' ? { verdict, tables } : await judged('model')
  // Columns that agents may not read are not stored for them.
  if (!unkept && forAgents.verdict.allowed) {
    const others = forAgents.tables
    const isSame = others.every(({ personal }) => personal?.length === 0)
    const kept =
      reader === 'model' || isSame ? result : (await redactAnswer(found, { ...asked, tables: others })).result
    await keep(project, { database, sql, result: kept, notes: told, query_id })
  }
  return { query_id, result, notes: told, milliseconds }
}

async function keep(
  project: ContextProject,
  { database, sql, result, notes, query_id }: Omit<Ran, 'milliseconds'> & { database: string; sql: string },
): Promise<void> {
  const { columns, truncated } = result
  let bytes = 0
  const end = result.rows.findIndex((row, i) => {
    bytes += row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
    return i >= KEPT.rows || bytes > KEPT.bytes
  })
  const rows = (end < 0 ? result.rows : result.rows.slice(0, end)).map((row) =>
    row.map((cell) => plainCell(cutCell(cell, { cell: SHOWN_CELL }))),
  )
  await project.keepResult(
    query_id,
    JSON.stringify({ database, sql, columns, rows, cut: truncated || end >= 0, notes }),
  )
}

/** The cell as a JSON value. */
export const plainCell = (value: Cell): string | number | boolean | null =>
  typeof value === 'bigint' ? String(value) : value

export function chooseDatabase(project: ContextProject, name: string | undefined): string {
  const names = project.config.databases.map((database) => database.name)
  if (name !== undefined) return name
  if (names.length === 1) return names[0]!
  throw new AppError(
    'invalid_input',
    names.length === 0 ? 'The context has no database.' : 'The context has several databases.',
    { hint: names.length === 0 ? 'Add one to ken.yaml.' : `Use one of: ${names.join(', ')}.` },
  )
}
