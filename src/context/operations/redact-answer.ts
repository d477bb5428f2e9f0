import { AppError } from '../../kernel/domain/errors.ts'
import { withoutValues } from '../domain/sql/engine-message.ts'
import { MASK, maskAnswer } from '../domain/sql/mask-answer.ts'
import { cutCell, textOfBytes, type Cell, type QueryResult } from '../domain/sql/query.ts'
import { secretsRead, type SecretTable } from '../domain/sql/secret-columns.ts'
import type { ParsedStatement } from '../domain/sql/statement.ts'
import type { ContextProject } from '../ports/context-project.ts'

export interface AskedStatement {
  readonly project: ContextProject
  readonly statement: ParsedStatement
  readonly tables: readonly SecretTable[]
  /** Characters of a cell that are shown; fewer than were fetched, so that no secret is cut before it is checked. */
  readonly shownCell?: number
}

export interface CleanAnswer {
  readonly result: QueryResult
  readonly notes: readonly string[]
}

// A private key, the longest kind of secret, must not be cut before it has been checked whole.
const LONGEST_SECRET = 20_000
export const SHOWN_CELL = 10_000
/** Characters per cell of a file that a person exports. */
export const WHOLE_CELL = 1_000_000
/** Characters to fetch of a cell if this many are shown. */
export const fetchedCell = (shown: number): number => shown + LONGEST_SECRET

/** Result without secrets: every text and every column name is checked whole before it is cut. */
export async function redactAnswer(
  given: QueryResult,
  { project, statement, tables, shownCell = SHOWN_CELL }: AskedStatement,
): Promise<CleanAnswer> {
  const { result, notes } = maskAnswer(given, statement, tables)
  const texts = [...result.columns.map(({ name }) => name), ...result.rows.flat()].filter(
    (value) => typeof value === 'string',
  )
  const isClean =
    (await project.redact(texts.join('\n'))).count === 0 &&
    (await project.redact(texts.map(textOfBytes).join('\n'))).count === 0
  const clean = async (cell: Cell): Promise<Cell> =>
    cutCell(isClean || typeof cell !== 'string' ? cell : await redactText(cell, project), { cell: shownCell })
  const columns = await Promise.all(
    result.columns.map(async ({ name, type }) => ({ name: String(await clean(name)), type })),
  )
  const rows = await Promise.all(result.rows.map((row) => Promise.all(row.map(clean))))
  return { result: { ...result, columns, rows }, notes }
}

async function redactText(text: string, project: ContextProject): Promise<string> {
  const readable = textOfBytes(text)
  if (readable !== text && (await project.redact(readable)).count > 0) return MASK
  return (await project.redact(text)).text
}

/** Engine's error for a statement, without the values it quotes. */
export async function redactFailure(error: unknown, { project, statement, tables }: AskedStatement): Promise<unknown> {
  if (!(error instanceof AppError) || error.details?.['about'] === undefined) return error
  const read = error.details['about'] === 'data' ? secretsRead(statement, tables) : undefined
  const names = tables.flatMap((table) => [table.database, table.schema, table.name, ...table.columns])
  const told =
    read === undefined
      ? withoutValues((await project.redact(error.message)).text, { sql: statement.sql, names })
      : withheld(error.message)
  const hint =
    read === undefined
      ? error.hint
      : `What the engine said is withheld, because the statement reads columns that hold secrets: ${read.columns.slice(0, 5).join(', ')}.`
  return new AppError(error.code, told, { ...(hint !== undefined && { hint }), details: error.details })
}

/** Keeps only the engine's error class, such as `Conversion Error`. */
const withheld = (message: string): string =>
  /^([A-Z][A-Za-z]*(?: [A-Za-z]+){0,3} Error)\b/.exec(message)?.[1] ?? 'the engine could not run it'
