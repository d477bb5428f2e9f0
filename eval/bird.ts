/**
 * Measures Ken's analyst with your model on BIRD (dev, mini-dev) or the local part of Spider 2.0-lite: `npm run
 * eval:bird -- --data DIR --model PROVIDER/MODEL`. Every question is a turn of `ken ask` over a context project
 * compiled from its database; its last statement runs through the gate, and its rows are compared with the gold ones.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { plural } from '../src/kernel/domain/text.ts'
import { readTasks, type Task } from './text-to-sql/read-tasks.ts'
import { runTasks, type TaskResult, type TaskRun } from './text-to-sql/run-tasks.ts'

const USAGE =
  'npm run eval:bird -- --data DIR --model PROVIDER/MODEL [--limit N] [--seed N] [--threads N] [--out DIR]; the key is in the environment, e.g. ANTHROPIC_API_KEY'
const DIFFICULTIES = ['simple', 'moderate', 'challenging']

if (import.meta.main) process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const { data, model, out, limit, seed, threads } = readOptions()
    const tasks = chooseTasks(readTasks(data), { limit, seed })
    const run = await runTasks(tasks, {
      model,
      out,
      threads,
      environment: process.env,
      progress: (line) => console.error(line),
    })
    console.log(summaryLines(run, tasks, { model, out }).join('\n'))
    return run.results.length === tasks.length ? 0 : 1
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : String(thrown))
    return 2
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      model: { type: 'string' },
      out: { type: 'string' },
      limit: { type: 'string' },
      seed: { type: 'string', default: '1' },
      threads: { type: 'string', default: '4' },
    },
  })
  if (values.data === undefined || values.model === undefined)
    throw new Error(`--data and --model are needed: ${USAGE}`)
  const model = modelName(values.model)
  return {
    data: resolve(values.data),
    model,
    out: resolve(values.out ?? `.eval/text-to-sql/${model.replaceAll(/[^\w.-]+/g, '-')}`),
    limit: values.limit === undefined ? undefined : wholeNumber('limit', values.limit),
    seed: wholeNumber('seed', values.seed),
    threads: Math.min(16, wholeNumber('threads', values.threads)),
  }
}

/** Accepts `anthropic/claude-…` as well as Ken's own `anthropic:claude-…`. */
export function modelName(given: string): string {
  return /^[\w-]+:/.test(given) ? given : given.replace('/', ':')
}

function wholeNumber(name: string, given: string): number {
  const value = Number(given)
  if (Number.isInteger(value) && value >= 1) return value
  throw new Error(`--${name} must be a whole number from 1, not "${given}".`)
}

/** Draws the requested number of tasks by the seed: the same tasks every time. */
export function chooseTasks(
  tasks: readonly Task[],
  { limit = tasks.length, seed }: { readonly limit?: number | undefined; readonly seed: number },
): readonly Task[] {
  if (limit >= tasks.length) return tasks
  let state = seed >>> 0
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const drawn = tasks.map((task) => ({ task, at: random() })).toSorted((a, b) => a.at - b.at)
  return drawn.slice(0, limit).map(({ task }) => task)
}

/** Accuracy by difficulty with counts, tokens and cost. Only answered questions count. */
export function summaryLines(
  { results, stopped }: TaskRun,
  tasks: readonly Task[],
  { model, out }: { readonly model: string; readonly out: string },
): readonly string[] {
  const known = [...new Set(results.map(({ difficulty }) => difficulty))]
  const order = [
    ...DIFFICULTIES.filter((one) => known.includes(one)),
    ...known.filter((one) => !DIFFICULTIES.includes(one)),
  ]
  const line = (name: string, of: readonly TaskResult[]): string => {
    const right = of.filter(({ outcome }) => outcome === 'right').length
    const share = of.length === 0 ? '–' : `${((100 * right) / of.length).toFixed(1)} %`
    return `${name.padEnd(12)} ${String(right).padStart(5)} of ${String(of.length).padEnd(5)} ${share.padStart(7)}`
  }
  const others = (['wrong', 'no query', 'refused', 'failed'] as const).map(
    (outcome) => `${results.filter((one) => one.outcome === outcome).length} ${outcome}`,
  )
  const sum = (of: (one: TaskResult) => number): number => results.reduce((total, one) => total + of(one), 0)
  const priced = results.filter(({ cost }) => cost !== undefined).length
  const left = tasks.length - results.length
  return [
    `${model}, execution accuracy`,
    ...order.map((difficulty) =>
      line(
        difficulty,
        results.filter((one) => one.difficulty === difficulty),
      ),
    ),
    line('all', results),
    `Not right: ${others.join(', ')}.`,
    `Tokens: ${sum(({ input }) => input).toLocaleString('en')} in, ${sum(({ output }) => output).toLocaleString('en')} out; cost: ${
      priced === results.length && priced > 0
        ? `$${sum(({ cost }) => cost ?? 0).toFixed(2)}`
        : 'not known for this model'
    }.`,
    ...(left === 0 ? [] : [`${plural(left, 'question')} of ${tasks.length} not answered; the same command goes on.`]),
    ...(stopped === undefined ? [] : [`Stopped: ${stopped}`]),
    `Results: ${out}/results.jsonl`,
  ]
}
