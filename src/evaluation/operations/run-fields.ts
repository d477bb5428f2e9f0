import { z } from 'zod'
import { projectKey } from '../../analyst/operations/project-key.ts'
import { plural } from '../../kernel/domain/text.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import type { RunComparison } from '../domain/compare-runs.ts'
import type { RunSummary } from '../domain/summary.ts'
import type { TestRun } from '../domain/test-run.ts'
import { findRun, type RunsHere } from '../find-run.ts'
import { against, openBaseline } from '../open-report.ts'

const runName = z.string().trim().min(1).max(100)

export const runField = runName.default('last').describe('Its id or a prefix of it, or last.')

export const failedInField = runName.optional().describe('Only cases that failed in this run: its id, or last.')

export const baselineField = z
  .string()
  .trim()
  .min(1)
  .max(4096)
  .optional()
  .describe('Compare with an earlier run: its id, last, or a JSON report.')

/** Short name of a run in lists: the time part of its id. */
export const shortRun = (id: string): string => id.slice(0, 10)

export const runsHere = async (ctx: Given): Promise<RunsHere> => ({ user: ctx.user, project: await projectKey(ctx) })

export async function runNamed(ctx: Given<'analyst'>, named: string): Promise<TestRun> {
  const { runs } = await ctx.analystState()
  return findRun(runs, named, await runsHere(ctx))
}

/**
 * Comparison function for `openReport`; undefined without a named baseline. `run` already exists, so `last` means a run
 * before it.
 */
export async function comparedWith(
  ctx: Given<'analyst'>,
  named: string | undefined,
  run?: TestRun,
  known?: ReadonlySet<string>,
): Promise<((summary: RunSummary) => RunComparison) | undefined> {
  if (named === undefined) return undefined
  const { runs } = await ctx.analystState()
  const desk = {
    runs,
    files: ctx.origin.surface === 'cli' ? ctx.files : undefined,
    pathNamed: (path: string) => machineOf(ctx).pathNamed(path),
  }
  return against(await openBaseline(desk, named, await runsHere(ctx), run), known)
}

/** How a run ended, if worth mentioning. */
export const endWords = (run: { readonly end?: string | undefined }, notRun: number): string => {
  const missing = notRun === 0 ? '' : `, ${plural(notRun, 'try', 'tries')} not made`
  if (run.end === undefined) return `cut off${missing}`
  return run.end === 'complete' ? '' : `${run.end === 'budget' ? 'ended by --max-cost' : 'stopped'}${missing}`
}
