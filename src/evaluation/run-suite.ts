import type { Usage } from '../kernel/domain/model-usage.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import type { FoundCase, RunEnd, TestAttempt, TestRun } from './domain/test-run.ts'
import type { TestRuns } from './ports/test-runs.ts'

/** Try that a run still has to execute. */
export interface PlannedAttempt {
  readonly found: FoundCase
  /** `-` if no model is used. */
  readonly model: string
  readonly attempt: number
}

/** Result of a try, without the fields known from the plan. */
export type Tried = Pick<TestAttempt, 'outcome' | 'checks' | 'prompt' | 'answer' | 'calls' | 'usage' | 'milliseconds'>

export interface SuiteDesk {
  readonly runs: Pick<TestRuns, 'add' | 'end'>
  readonly signal: StopSignal | undefined
  readonly threads: number
  /** In US dollars; undefined means unlimited. */
  readonly maxCost: number | undefined
  now(): string
  /**
   * Makes one try; throws only if it is stopped. `left` is the remaining budget; returns undefined if that was not
   * enough, which does not count as a result.
   */
  attempt(planned: PlannedAttempt, left: number | undefined): Promise<Tried | undefined>
  progress(made: TestAttempt | undefined, done: number): void
}

/**
 * Makes all planned tries, several at once, and stores each as soon as it is made, so that an interrupted run loses
 * only those under way.
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
  // A full disk ends the other threads too, once their current tries are done.
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
    // Interrupted tries are repeated on resume.
    if (desk.signal?.aborted) return undefined
    throw thrown
  }
}

/** Whether usage has no known price, so that a cost limit cannot be enforced. Local models cost nothing. */
const isUnpriced = ({ input, output, cost }: Usage, model: string): boolean =>
  cost === undefined && input + output > 0 && !model.startsWith('ollama:')

const spent = (made: readonly TestAttempt[]): number => made.reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0)

/**
 * All tries of a suite: each case is tried once with each model before any case is tried a second time, so that an
 * interrupted run has covered as much as it could.
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

/** Whether a case needs a model; other kinds check Ken itself. */
export const asksModel = ({ test: { kind } }: Pick<FoundCase, 'test'>): boolean =>
  kind === 'sql' || kind === 'answer' || kind === 'action' || kind === 'memory'

/** Tries that an interrupted run has made, of cases unchanged since. */
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
