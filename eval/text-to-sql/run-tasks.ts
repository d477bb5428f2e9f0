import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { ask } from '../../src/analyst/operations/ask.ts'
import { openKen, type Ken } from '../../src/app/open.ts'
import { runStatement } from '../../src/context/operations/run-statement.ts'
import { errorLine } from '../../src/kernel/domain/errors.ts'
import { toAppError } from '../../src/kernel/domain/to-app-error.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'
import type { Context } from '../../src/operations/context.ts'
import { readCsv } from './csv.ts'
import type { Task } from './read-tasks.ts'

export interface RunOptions {
  /** Ken's name for the model: `anthropic:claude-sonnet-4-5`. */
  readonly model: string
  /** Folder for results, projects and Ken's home; a second run there resumes. */
  readonly out: string
  readonly threads: number
  readonly environment: Readonly<Record<string, string | undefined>>
  progress(line: string): void
}

/** Result of one task, as kept in `results.jsonl`. */
export interface TaskResult {
  readonly id: string
  readonly key: string
  readonly database: string
  readonly difficulty: string
  /** `failed`: the last statement, or the gold one, does not run within its limits. */
  readonly outcome: 'right' | 'wrong' | 'no query' | 'refused' | 'failed'
  /** The last statement of the turn. */
  readonly sql: string
  readonly input: number
  readonly output: number
  /** US dollars; undefined if the model's price is not known. */
  readonly cost?: number
}

export interface TaskRun {
  readonly results: readonly TaskResult[]
  /** Why the run ended before all tasks were answered. */
  readonly stopped?: string
}

// A provider that fails this often in a row will fail again.
const MOST_FAILURES = 3

/** Asks the analyst every task without a result. A turn that failed at the provider is not a result. */
export async function runTasks(tasks: readonly Task[], options: RunOptions): Promise<TaskRun> {
  mkdirSync(options.out, { recursive: true })
  const file = join(options.out, 'results.jsonl')
  const known = readResults(file)
  const left = tasks.filter((task) => !known.has(keyOf(task, options.model)))
  const home = join(options.out, 'home')
  const isAgent = options.model.startsWith('agent:')
  const ken = openKen(
    { ...options.environment, KEN_HOME: home, KEN_TELEMETRY: '0', ...(!isAgent && { HOME: home }) },
    () => {},
  )
  const projects = new Map<string, Promise<string>>()
  const projectOf = (task: Task): Promise<string> => {
    const opening = projects.get(task.database) ?? openProject(ken, task, options.out)
    projects.set(task.database, opening)
    return opening
  }
  let [next, failures] = [0, 0]
  let stopped: string | undefined
  const work = async (): Promise<void> => {
    while (next < left.length && stopped === undefined) {
      const task = left[next++]!
      try {
        const result = await answer(ken, task, { folder: await projectOf(task), model: options.model })
        failures = 0
        known.set(result.key, result)
        appendFileSync(file, `${JSON.stringify(result)}\n`)
        options.progress(`${known.size} · ${task.id} ${task.database}: ${result.outcome}`)
      } catch (thrown) {
        const { line } = toAppError(thrown)
        options.progress(`${task.id} ${task.database}: not answered: ${line}`)
        if (++failures >= MOST_FAILURES) stopped = line
      }
    }
  }
  try {
    await run(ken, options.out, 'config_set', { name: 'memory.learn', value: 'false' })
    await Promise.all(Array.from({ length: Math.max(1, options.threads) }, work))
  } finally {
    await ken.close()
  }
  const results = tasks.flatMap((task) => known.get(keyOf(task, options.model)) ?? [])
  return { results, ...(stopped !== undefined && { stopped }) }
}

const ASKING =
  'Nobody can be asked back. The last query that you run counts as the answer: it returns exactly the columns that are asked for, in the order in which they are asked for, and every row.'

async function answer(ken: Ken, task: Task, { folder, model }: { folder: string; model: string }): Promise<TaskResult> {
  const ctx = contextOf(ken, folder)
  const question = [task.question, ...(task.evidence === '' ? [] : [`Hint: ${task.evidence}`]), ASKING].join('\n\n')
  const output = (await call(ctx, ask, { question, model })).output as unknown as Turn
  if (output.failure !== undefined) throw new Error(errorLine(output.failure))
  const sql = output.queries.at(-1)?.sql ?? ''
  return {
    id: task.id,
    key: keyOf(task, model),
    database: task.database,
    difficulty: task.difficulty,
    outcome: sql === '' ? 'no query' : await judge(ctx, task, sql),
    sql,
    input: output.usage.input,
    output: output.usage.output,
    ...(output.usage.cost !== undefined && { cost: output.usage.cost }),
  }
}

/** The part of the `ask` output that is used here. */
interface Turn {
  readonly queries: readonly { readonly sql: string }[]
  readonly usage: { readonly input: number; readonly output: number; readonly cost?: number }
  readonly failure?: { readonly message: string; readonly hint?: string }
}

/** Runs the whole statement through the gate and its limits, and compares its rows. */
async function judge(ctx: Context, task: Task, sql: string): Promise<TaskResult['outcome']> {
  const project = await ctx.contextProject()
  const [database] = project.config.databases
  try {
    const ran = await runStatement(ctx, { project, database: database!.name, sql, all: true, unkept: true })
    if ('refused' in ran) return 'refused'
    return task.isRight(ran.result.rows) ? 'right' : 'wrong'
  } catch {
    return 'failed'
  }
}

const keyOf = ({ id, database, question, evidence, gold }: Task, model: string): string =>
  createHash('sha256')
    .update(JSON.stringify([id, database, question, evidence, gold, model]))
    .digest('hex')
    .slice(0, 16)

/** Results by key; an incomplete line after an interruption is ignored. */
function readResults(file: string): Map<string, TaskResult> {
  const results = new Map<string, TaskResult>()
  if (!existsSync(file)) return results
  const text = readFileSync(file, 'utf8')
  for (const line of text.split('\n').filter(Boolean)) {
    try {
      const result = JSON.parse(line) as TaskResult
      results.set(result.key, result)
    } catch {
      continue
    }
  }
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
  return results
}

/** A context project over one database, compiled by `ken sync`. */
async function openProject(ken: Ken, task: Task, out: string): Promise<string> {
  if (!existsSync(task.path)) throw new Error(`${task.path} not found: unpack the databases of the set.`)
  const name = task.database.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '_')
  const folder = join(out, 'projects', name)
  mkdirSync(folder, { recursive: true })
  const copy = join(folder, `${name}.sqlite`)
  if (!existsSync(copy)) linkOrCopy(task.path, copy)
  writeFileSync(
    join(folder, 'ken.yaml'),
    stringify({ name, databases: [{ name, type: 'sqlite', path: `${name}.sqlite` }] }),
  )
  writeDescriptions(task, folder)
  const { failures } = await run(ken, folder, 'sync_sources', {})
  const [failure] = (failures ?? []) as readonly { message: string }[]
  if (failure !== undefined) throw new Error(`${name}: ${failure.message}`)
  return folder
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** BIRD describes the columns of a database in a CSV file per table; written as `semantics/` for Ken. */
function writeDescriptions({ descriptions }: Task, folder: string): void {
  if (descriptions === undefined || !existsSync(descriptions)) return
  const dimensions = readdirSync(descriptions)
    .filter((name) => name.toLowerCase().endsWith('.csv'))
    .flatMap((name) => {
      const [head = [], ...rows] = readCsv(readFileSync(join(descriptions, name), 'utf8'))
      const at = (field: string): number => head.findIndex((one) => one.trim() === field)
      return rows.flatMap((row) => {
        const cell = (field: string): string => (row[at(field)] ?? '').replaceAll(/\s+/g, ' ').trim()
        const description = [cell('column_description') || cell('column_name'), cell('value_description')]
          .filter((text) => text !== '')
          .join('; ')
        const column = cell('original_column_name')
        if (column === '' || description === '') return []
        return [{ name: column, table: name.slice(0, -'.csv'.length), column, description }]
      })
    })
  mkdirSync(join(folder, 'semantics'), { recursive: true })
  writeFileSync(join(folder, 'semantics', 'columns.yaml'), stringify({ dimensions }))
}

const contextOf = (ken: Ken, folder: string): Context => ken.context({ origin: { surface: 'cli' }, cwd: folder })

const run = async (ken: Ken, folder: string, name: string, input: object): Promise<Record<string, unknown>> =>
  (
    await call(
      contextOf(ken, folder),
      OPERATIONS.find((one) => one.name === name)!,
      input,
    )
  ).output
