import { contextHere } from '../../analyst/operations/project-key.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import type { Given } from '../../operations/context.ts'
import type { ReadCases } from '../domain/read-cases.ts'
import type { FoundCase, TestAttempt, TestRun } from '../domain/test-run.ts'
import { findRun, type RunsHere } from '../find-run.ts'
import { briefly } from '../open-report.ts'
import type { TestRuns } from '../ports/test-runs.ts'
import { asksModel, doneBefore, NO_MODEL, planSuite, type PlannedAttempt } from '../run-suite.ts'
import { chooseCases, failedIn, type Choice } from './choose-cases.ts'
import { runsHere, shortRun } from './run-fields.ts'
import type { TestsPlace } from './tests-here.ts'

export interface WantedRun extends Choice {
  readonly model: readonly string[]
  readonly runs?: number | undefined
  readonly failed: boolean
  readonly failed_in?: string | undefined
  readonly resume: boolean
  /** Compares every table strictly, whatever the project and the case say. */
  readonly strict: boolean
}

export interface PreparedRun {
  readonly run: TestRun
  /** Remaining attempts. */
  readonly planned: readonly PlannedAttempt[]
  /** Attempts by an earlier process. */
  readonly before: readonly TestAttempt[]
}

/** Selects the cases and models of a run and begins or resumes it. Throws before any request. */
export async function prepareRun(
  ctx: Given<'analyst' | 'context' | 'record'>,
  wanted: WantedRun,
  { place, found }: { readonly place: TestsPlace; readonly found: ReadCases },
): Promise<PreparedRun> {
  const { runs } = await ctx.analystState()
  const here = await runsHere(ctx)
  const chosen = chooseCases(found.cases, wanted)
  const again = wanted.failed_in ?? (wanted.failed ? 'last' : undefined)
  const named = again === undefined ? chosen : await failedBefore(runs, here, { chosen, again })
  const byDefault = (await contextHere(ctx))?.config.tests.strict ?? false
  const cases = named.map((one) => strictly(one, wanted.strict || (strictIn(one) ?? byDefault)))
  const models = await modelsFor(ctx, wanted.model, cases)
  const all = planSuite(cases, { models, runs: wanted.runs })
  const suite = sha256(
    JSON.stringify(all.map(({ found, model, attempt }) => [found.id, found.hash, strictIn(found), model, attempt])),
  )
  if (wanted.resume) return goOn(runs, here, { suite, all })
  const commit = await headOf(ctx)
  const run: TestRun = {
    ...here,
    id: ctx.clock.ulid(),
    folder: `${place.root}/${place.within}`,
    startedAt: ctx.clock.now().toISOString(),
    models,
    runs: wanted.runs ?? 1,
    suite,
    planned: all.length,
    ...(commit !== undefined && { commit }),
    version: ctx.version,
    broken: found.broken,
  }
  await runs.start(run)
  return { run, planned: all, before: [] }
}

/** A case's own `strict` overrides the project's default; --strict overrides both. */
const strictIn = ({ test }: FoundCase): boolean | undefined => (test.kind === 'sql' ? test.strict : undefined)

const strictly = (found: FoundCase, strict: boolean): FoundCase =>
  found.test.kind === 'sql' ? { ...found, test: { ...found.test, strict } } : found

async function failedBefore(
  runs: TestRuns,
  here: RunsHere,
  { chosen, again }: { readonly chosen: readonly FoundCase[]; readonly again: string },
): Promise<readonly FoundCase[]> {
  const before = await findRun(runs, again, here)
  const failed = failedIn(chosen, await briefly(runs, before))
  if (failed.length > 0) return failed
  throw new AppError(
    'not_found',
    `None of these cases failed in ${again === 'last' ? 'the last run' : 'that run'} (${shortRun(before.id)}).`,
    {
      hint: `Run all of them with ${operationNamed('test_run')}.`,
    },
  )
}

// Number of recent runs that can be resumed; older runs used other code.
const LOOKED_AT = 20

async function goOn(
  runs: TestRuns,
  here: RunsHere,
  { suite, all }: { readonly suite: string; readonly all: readonly PlannedAttempt[] },
): Promise<PreparedRun> {
  const unfinished = (await runs.list({ ...here, limit: LOOKED_AT })).find(
    (run) => run.suite === suite && run.end?.reason !== 'complete',
  )
  if (unfinished === undefined)
    throw new AppError('not_found', 'No interrupted run of exactly these cases found.', {
      hint: `Run them again with ${operationNamed('test_run')}.`,
    })
  await runs.reopen(unfinished.id)
  const { kept, left } = doneBefore(all, await runs.attempts(unfinished.id))
  return { run: unfinished, planned: left, before: kept }
}

/** Opens each named model at once, so that a typo does not cost a run. */
async function modelsFor(
  ctx: Given<'analyst'>,
  named: readonly string[],
  cases: readonly FoundCase[],
): Promise<readonly string[]> {
  if (!cases.some(asksModel)) return [NO_MODEL]
  for (const name of named) await ctx.models.answerer(name)
  if (named.length > 0) return [...new Set(named)]
  const answerer = await ctx.models.answerer()
  if (answerer !== undefined) return [answerer.kind === 'model' ? answerer.model.id : answerer.client.id]
  const needing = cases.filter(({ test }) => asksModel({ test }) && test.kind !== 'memory').length
  if (needing === 0) return [NO_MODEL]
  throw new AppError('unavailable', `${needing} of ${cases.length} cases need the analyst, but no model is set.`, {
    hint: 'Pass --model, e.g. ollama:qwen3 or agent:claude-code; or run the others with --kind retrieval --kind decision --kind memory --kind context.',
  })
}

const headOf = async (ctx: Given<'record'>): Promise<string | undefined> =>
  (await ctx.repository().catch(() => undefined))?.head().catch(() => undefined)
