import { AppError } from '../kernel/domain/errors.ts'
import { operationNamed } from '../kernel/domain/named-operation.ts'
import { notFound } from '../kernel/domain/phrases.ts'
import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import type { Files } from '../kernel/ports/files.ts'
import { compareRuns, type RunComparison } from './domain/compare-runs.ts'
import { MOST_RUNS } from './domain/kept-run.ts'
import { MOST_REPORT, readRunReport } from './domain/read-run-report.ts'
import { pointOf, type RunReport } from './domain/run-report.ts'
import { summariseRun, type RunSummary } from './domain/summary.ts'
import type { TestRun } from './domain/test-run.ts'
import { findRun, type RunsHere } from './find-run.ts'
import type { TestRuns } from './ports/test-runs.ts'

type ReadRuns = Pick<TestRuns, 'list' | 'attempts'>

// Number of runs that fit a small chart.
const SHOWN_RUNS = 30

/** Run with its results, without secrets, and the runs before it. */
export async function openReport(
  runs: ReadRuns,
  run: TestRun,
  comparison?: (summary: RunSummary) => RunComparison,
): Promise<RunReport> {
  const summary = await openRun(runs, run)
  const earlier = (await earlierRuns(runs, run)).slice(0, SHOWN_RUNS - 1)
  const points = await Promise.all(earlier.map(async (one) => pointOf(await briefly(runs, one))))
  return { summary, comparison: comparison?.(summary), history: [...points.toReversed(), pointOf(summary)] }
}

/** Run with all its tries, without secrets. */
export const openRun = async (runs: ReadRuns, run: TestRun): Promise<RunSummary> =>
  summariseRun(redactDeep(run).value, redactDeep(await runs.attempts(run.id)).value)

/** Like `openRun`, without prompts and answers. */
export const briefly = async (runs: ReadRuns, run: TestRun): Promise<RunSummary> =>
  summariseRun(run, await runs.attempts(run.id, { brief: true }))

export interface BaselineDesk {
  readonly runs: ReadRuns
  /** Undefined if callers may not read files, as on a server. */
  readonly files: Pick<Files, 'bytes'> | undefined
  pathNamed(path: string): string
}

/**
 * Baseline of a run: a file with a JSON report, an id or its beginning, or `last`: the newest complete run, before
 * `run` if that already exists.
 */
export async function openBaseline(
  desk: BaselineDesk,
  named: string,
  here: RunsHere,
  run?: TestRun,
): Promise<RunSummary> {
  const { runs } = desk
  if (/[./\\]/.test(named)) return fromFile(desk, named)
  if (named.trim().toLowerCase() !== 'last') return briefly(runs, await findRun(runs, named, here))
  const all = run === undefined ? await runs.list({ ...here, limit: MOST_RUNS }) : await earlierRuns(runs, run)
  const last = all.find(({ end }) => end?.reason === 'complete')
  if (last !== undefined) return briefly(runs, last)
  throw new AppError('not_found', 'No complete earlier run found here.', {
    hint: `List runs with ${operationNamed('test_runs')}, or pass a JSON report of ${operationNamed('test_report')}.`,
  })
}

/** Comparison function for `openReport`. `known` are the ids of all current cases, if they were read. */
export const against =
  (baseline: RunSummary, known?: ReadonlySet<string>) =>
  (summary: RunSummary): RunComparison =>
    compareRuns(summary, baseline, known)

async function fromFile({ files, pathNamed }: BaselineDesk, named: string): Promise<RunSummary> {
  if (files === undefined)
    throw new AppError('forbidden', 'Files can only be read from a terminal.', {
      hint: 'Pass a run id, or last.',
    })
  const bytes = await files.bytes(pathNamed(named), MOST_REPORT)
  if (bytes === undefined)
    throw new AppError('not_found', notFound('File', visibleLine(named)), {
      hint: `Use a JSON report of ${operationNamed('test_report')}, a run id, or last.`,
    })
  return readRunReport(named, new TextDecoder().decode(bytes))
}

/** Newest first. */
async function earlierRuns(runs: ReadRuns, run: TestRun): Promise<readonly TestRun[]> {
  const all = await runs.list({ user: run.user, project: run.project, limit: MOST_RUNS })
  const at = all.findIndex(({ id }) => id === run.id)
  return at === -1 ? all.filter(({ startedAt }) => startedAt < run.startedAt) : all.slice(at + 1)
}
