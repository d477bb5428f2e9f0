import type { Usage } from '../kernel/domain/model-usage.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import type { FoundCase, RunEnd, TestAttempt, TestRun } from './domain/test-run.ts'
import type { TestRuns } from './ports/test-runs.ts'

/** One try that a run still has to make. */
export interface PlannedAttempt {
  readonly found: FoundCase
  /** `-` where none is asked. */
  readonly model: string
  readonly attempt: number
}

/** What comes of a try, beside what the plan knows of it. */
export type Tried = Pick<TestAttempt, 'outcome' | 'checks' | 'prompt' | 'answer' | 'calls' | 'usage' | 'milliseconds'>

export interface SuiteDesk {
  readonly runs: Pick<TestRuns, 'add' | 'end'>
  readonly signal: StopSignal | undefined
  readonly threads: number
  /** In US dollars; undefined where there is no limit. */
  readonly maxCost: number | undefined
  now(): string
  /**
   * Makes one try; throws only when it is stopped. `left` is what may still be spent; undefined where that was not
   * enough, which says nothing of the case.
   */
  attempt(planned: PlannedAttempt, left: number | undefined): Promise<Tried | undefined>
  progress(made: TestAttempt | undefined, done: number): void
}

/**
 * Makes every try that is planned, several at once, and keeps each as soon as it is made, so that a run that is cut off
 * loses only what was under way.
 */
export async function runSuite(
  run: TestRun,
  planned: readonly PlannedAttempt[],
  before: readonly TestAttempt[],
  desk: SuiteDesk,
): Promise<{ readonly attempts: readonly TestAttempt[]; readonly end: RunEnd }> {
  const made = [...before]
  const waiting = planned.values()
  const isSpent = (): boolean =>
    desk.maxCost !== undefined &&
    (spent(made) >= desk.maxCost || made.some(({ usage, model }) => isUnpriced(usage, model)))
  let failure: { readonly thrown: unknown } | undefined
  let isOver = false
  const thread = async (): Promise<void> => {
    for (const next of waiting) {
      if (isOver || failure !== undefined || desk.signal?.aborted || isSpent()) return
      const attempt = await tryOne(run, next, desk, made)
      if (attempt === undefined) return void (isOver = true)
      await desk.runs.add(attempt)
      made.push(attempt)
      desk.progress(attempt, made.length)
    }
  }
  desk.progress(undefined, made.length)
  // A disk that is full ends the others too, once what they have under way is done.
  const threads = Array.from({ length: Math.min(desk.threads, planned.length) }, () =>
    thread().catch((thrown: unknown) => void (failure ??= { thrown })),
  )
  await Promise.all(threads)
  if (failure !== undefined) throw failure.thrown
  const isComplete = made.length === before.length + planned.length
  const end: RunEnd = isComplete ? 'complete' : desk.signal?.aborted ? 'stopped' : 'budget'
  await desk.runs.end(run.id, { at: desk.now(), reason: end })
  return { attempts: made, end }
}

async function tryOne(
  run: TestRun,
  planned: PlannedAttempt,
  desk: SuiteDesk,
  made: readonly TestAttempt[],
): Promise<TestAttempt | undefined> {
  const { found, model, attempt } = planned
  const { id, hash, file, test } = found
  const at = desk.now()
  try {
    const left = desk.maxCost === undefined ? undefined : Math.max(0, desk.maxCost - spent(made))
    const { name, kind, tags, need } = test
    const tried = await desk.attempt(planned, left)
    return tried && { run: run.id, case: id, hash, name, file, kind, tags, need, model, attempt, at, ...tried }
  } catch (thrown) {
    // What was cut off is tried again when the run goes on.
    if (desk.signal?.aborted) return undefined
    throw thrown
  }
}

/** Nobody could say when enough is spent. What runs on this machine costs nothing. */
const isUnpriced = ({ input, output, cost }: Usage, model: string): boolean =>
  cost === undefined && input + output > 0 && !model.startsWith('ollama:')

const spent = (made: readonly TestAttempt[]): number => made.reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0)

/**
 * Every try of a suite: each case once with each model before any of them a second time, so that a run that is cut off
 * has seen as much as it could.
 */
export function planSuite(
  cases: readonly FoundCase[],
  { models, runs }: { readonly models: readonly string[]; readonly runs: number | undefined },
): readonly PlannedAttempt[] {
  const times = ({ test }: FoundCase): number => runs ?? test.runs ?? 1
  const most = cases.reduce((found, one) => Math.max(found, times(one)), 0)
  return Array.from({ length: most }, (_, i) => i + 1).flatMap((attempt) =>
    models.flatMap((model, m) =>
      cases
        .filter((found) => attempt <= times(found) && (m === 0 || asksModel(found)))
        .map((found) => ({ found, model: asksModel(found) ? model : NO_MODEL, attempt })),
    ),
  )
}

export const NO_MODEL = '-'

/** The others look at what Ken itself gives. */
export const asksModel = ({ test: { kind } }: Pick<FoundCase, 'test'>): boolean =>
  kind === 'sql' || kind === 'answer' || kind === 'action' || kind === 'memory'

/** What a run that was cut off has done already, of a case that says the same as then. */
export function doneBefore(
  planned: readonly PlannedAttempt[],
  before: readonly TestAttempt[],
): { readonly kept: readonly TestAttempt[]; readonly left: readonly PlannedAttempt[] } {
  const keyOf = (id: string, hash: string, model: string, attempt: number): string =>
    JSON.stringify([id, hash, model, attempt])
  const made = new Map(before.map((one) => [keyOf(one.case, one.hash, one.model, one.attempt), one]))
  const keyOfPlanned = ({ found, model, attempt }: PlannedAttempt): string =>
    keyOf(found.id, found.hash, model, attempt)
  return {
    kept: planned.flatMap((one) => made.get(keyOfPlanned(one)) ?? []),
    left: planned.filter((one) => !made.has(keyOfPlanned(one))),
  }
}
