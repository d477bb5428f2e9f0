import { createInterface, type Interface } from 'node:readline'
import { onOneLine, splitStatements } from '../../context/domain/sql/split-statements.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { call } from '../../operations/call.ts'
import type { Context } from '../../operations/context.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import { reportFailure, writeAnswer, type Terminal } from './run.ts'
import { readSqlCommand, SQL_PROMPT_HELP, type SqlCommand } from './sql-commands.ts'
import { openSqlNames } from './sql-names.ts'

export interface SqlPromptParts {
  readonly ctx: Context
  readonly terminal: Terminal
  readonly input: NodeJS.ReadableStream & { setRawMode?(raw: boolean): unknown }
  readonly output: NodeJS.WritableStream
  /** Statements from earlier sessions, newest first, and the store for new ones. */
  readonly history: { load(): readonly string[]; add(statement: string): void }
  /** Finds run_sql, list_tables or describe_table by name. */
  operation(name: string): Promise<RegisteredOperation>
}

/** State of the prompt: the database, and how rows are shown. */
interface Sitting {
  database: string
  format: string | undefined
  expanded: boolean
  limit: number | undefined
  pager: boolean
  /** Destination of the next result. */
  output: string | undefined
  /** The last statement; `lastResult` is the id of its result. */
  last: string
  lastResult: string | undefined
}

export type SqlPromptStart = Partial<Pick<Sitting, 'format' | 'expanded' | 'limit' | 'pager'>> & { database: string }

const STOPPED = 'Stopped.'

/** `ken sql` at a terminal: statements until a semicolon, commands with a backslash, until Ctrl-D. */
export async function runSqlPrompt(parts: SqlPromptParts, start: SqlPromptStart): Promise<number> {
  const { ctx, terminal, input, output, history } = parts
  const sitting: Sitting = {
    format: undefined,
    expanded: false,
    limit: undefined,
    pager: true,
    output: undefined,
    last: '',
    lastResult: undefined,
    ...start,
  }
  const names = openSqlNames(ctx)
  let typed = ''
  const lines = createInterface({
    input,
    output,
    terminal: true,
    history: [...history.load()],
    historySize: HISTORY,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: Error | null, found: [string[], string]) => void) => {
      names
        .complete(sitting.database, { before: typed + line.slice(0, lines.cursor), after: line.slice(lines.cursor) })
        .then(({ word, choices }) => done(null, [[...choices], word]))
        .catch(() => done(null, [[], '']))
    },
  })
  let running: AbortController | undefined
  const prompt = (): void => {
    lines.setPrompt(`${visibleLine(sitting.database)}${typed === '' ? '=>' : '->'} `)
    lines.prompt()
  }
  lines.on('SIGINT', () => {
    if (running !== undefined) return running.abort()
    typed = ''
    output.write('^C\n')
    // The typed line is discarded, as in a shell.
    Object.assign(lines, { line: '', cursor: 0 })
    prompt()
  })
  const run = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    running = new AbortController()
    const { signal } = running
    try {
      await work(signal)
    } catch (thrown) {
      const failure = toAppError(thrown)
      if (signal.aborted && failure.code === 'stopped') terminal.err(STOPPED)
      else {
        terminal.trace(thrown)
        reportFailure(failure, false, terminal)
      }
    } finally {
      running = undefined
    }
  }
  const desk: Desk = { parts, sitting, names, lines, run }
  const take = async (line: string): Promise<boolean> => {
    const command = typed === '' ? readSqlCommand(line) : undefined
    if (command !== undefined) return obey(command, desk)
    typed += `${line}\n`
    const { statements, open } = splitStatements(typed)
    if (open) return true
    typed = ''
    for (const { sql } of statements) await askOne(sql, desk)
    return true
  }
  terminal.out(`${sitting.database}: statements end in a semicolon. \\? helps, \\q or Ctrl-D leaves.`)
  prompt()
  for await (const line of inOrder(lines)) {
    if (!(await take(line))) break
    prompt()
  }
  lines.close()
  return 0
}

const HISTORY = 1_000

interface Desk {
  readonly parts: SqlPromptParts
  readonly sitting: Sitting
  readonly names: ReturnType<typeof openSqlNames>
  readonly lines: Interface
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void>
}

/** Lines in order, including lines typed or pasted while a statement runs; ends with Ctrl-D. */
async function* inOrder(lines: Interface): AsyncGenerator<string> {
  const waiting: string[] = []
  let isClosed = false
  let wake = (): void => {}
  lines.on('line', (line) => {
    waiting.push(line)
    wake()
  })
  lines.on('close', () => {
    isClosed = true
    wake()
  })
  for (;;) {
    const next = waiting.shift()
    if (next !== undefined) yield next
    else if (isClosed) return
    else await new Promise<void>((resolve) => (wake = resolve))
  }
}

async function askOne(sql: string, desk: Desk): Promise<void> {
  const { sitting, parts } = desk
  sitting.last = sql
  const line = onOneLine(`${sql};`)
  if (line !== undefined) parts.history.add(line)
  const { database, format, expanded, limit, pager, output } = sitting
  // A file receives one result; the next one is shown on the screen again.
  sitting.output = undefined
  const given = { sql, database, expanded, pager, ...(format && { format }), ...(limit && { limit }) }
  await answer('run_sql', { ...given, ...(output !== undefined && { output }) }, desk)
}

async function answer(name: string, input: Readonly<Record<string, unknown>>, desk: Desk): Promise<void> {
  const { parts, sitting } = desk
  const { ctx, terminal } = parts
  await desk.run(async (signal) => {
    const operation = await parts.operation(name)
    const told = await call({ ...ctx, signal }, operation, input)
    if (name === 'run_sql' && typeof told.output['query_id'] === 'string') sitting.lastResult = told.output['query_id']
    const code = Math.min(1, operation.exit(told.output as never))
    withTerminal(desk, () => writeAnswer(operation, told, { code, terminal, now: ctx.clock.now() }))
  })
}

/** Temporarily hands the keyboard to a pager or an editor. */
function withTerminal<T>({ parts: { input }, lines }: Desk, work: () => T): T {
  lines.pause()
  input.setRawMode?.(false)
  try {
    return work()
  } finally {
    input.setRawMode?.(true)
    lines.resume()
  }
}

/** False if the session is over. */
async function obey(command: SqlCommand, desk: Desk): Promise<boolean> {
  const { parts, sitting, names } = desk
  const { terminal, ctx } = parts
  switch (command.kind) {
    case 'quit':
      return false
    case 'help':
      terminal.out(SQL_PROMPT_HELP)
      break
    case 'tables':
      await answer('list_tables', { database: sitting.database, ...(command.match && { match: command.match }) }, desk)
      break
    case 'describe':
      await answer('describe_table', { table: command.table, database: sitting.database, documents: ['columns'] }, desk)
      break
    case 'use':
      await desk.run(async () => {
        await names.check(command.database)
        sitting.database = command.database
      })
      break
    case 'file':
      await answer('run_sql', { file: command.path, database: sitting.database, expanded: sitting.expanded }, desk)
      break
    case 'save':
      if (sitting.lastResult === undefined) terminal.err('ken: Ask something first; the last statement is saved.')
      else await answer('run_sql', { result: sitting.lastResult, save: command.question, limit: 1 }, desk)
      break
    case 'edit':
      await desk.run(async () => {
        if (ctx.editText === undefined) throw noEditor()
        const edited = await withTerminal(desk, () => ctx.editText!(sitting.last, 'statement.sql'))
        for (const { sql } of splitStatements(edited).statements) {
          terminal.out(sql)
          await askOne(sql, desk)
        }
      })
      break
    case 'set':
      Object.assign(sitting, command.change(sitting))
      terminal.out(command.told(sitting))
      break
    default:
      terminal.err(`ken: ${command.problem}`)
  }
  return true
}

const noEditor = (): AppError => new AppError('unavailable', 'No editor is set.', { hint: 'Set $VISUAL or $EDITOR.' })
