import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed, operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import type { ReadCases } from '../domain/read-cases.ts'
import { caseFields, comparisonFields, runFields, tallyFields } from '../domain/report-fields.ts'
import { caseData, comparisonData, runData, tallyData } from '../domain/report-json.ts'
import type { RunReport } from '../domain/run-report.ts'
import type { RunSummary } from '../domain/summary.ts'
import type { TestRun } from '../domain/test-run.ts'
import { openReport } from '../open-report.ts'
import { runSuite } from '../run-suite.ts'
import { writeOutputs } from '../write-outputs.ts'
import { choiceFields } from './choose-cases.ts'
import { keepTestsSchema } from './keep-tests-schema.ts'
import { prepareRun, type PreparedRun } from './prepare-run.ts'
import { runBlocks, runHead } from './render-run.ts'
import { runCase } from './run-case.ts'
import { baselineField, comparedWith, failedInField } from './run-fields.ts'
import { casesIn, testsPlace, type TestsPlace } from './tests-here.ts'

export const testRun = defineOperation({
  name: 'test_run',
  title: 'Run the tests',
  summary: 'Run the test cases of this project: answers, searches, checks and briefs.',
  forPeople: 'Run this project’s test cases.',
  details:
    'Cases are YAML in tests/ of a context project, or in .ken/tests/ of a repository. Each runs in isolation, and a model never sees the expected result. ' +
    'Exit code 0: all passed; 1: one failed, or with --baseline one that passed before; 2: a case is broken. ' +
    'Results are kept, and written to outputs/ beside the cases as JSON, as JUnit and as one page of HTML.',
  effect: 'write',
  fromPage: 'free',
  words: 'analyst',
  needs: ['analyst', 'context', 'machine', 'memory', 'record'],
  positional: ['select'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    ...choiceFields,
    model: z
      .array(z.string().min(1).max(300))
      .max(20)
      .default([])
      .describe('Models to ask, e.g. ollama:qwen3 or agent:codex; default: the configured model.'),
    threads: z.number().int().min(1).max(64).default(4).describe('Cases run in parallel.'),
    runs: z.number().int().min(1).max(100).optional().describe('Attempts per case.'),
    max_cost: z.number().min(0).optional().describe('Stop starting cases after spending this many US dollars.'),
    failed: z.boolean().default(false).describe('Only cases that failed in the last run.'),
    failed_in: failedInField,
    resume: z.boolean().default(false).describe('Resume an interrupted run of the same cases.'),
    strict: z.boolean().default(false).describe('Require the expected column order, and row order if sorted.'),
    baseline: baselineField.describe(
      'Compare with an earlier run: its id, last, or a JSON report. Only cases that passed then can fail.',
    ),
  },
  output: {
    run: runFields,
    total: tallyFields,
    comparison: comparisonFields.optional(),
    cases: z.array(caseFields).describe('Cases that did not pass, with expected and actual result.'),
    drafts: z.number().describe('Missing until the expected result is filled in.'),
    outputs: z.array(z.string()).describe('Files that were written.'),
    notes: z.array(z.string()),
  },
  examples: [
    { title: 'All of them', input: {} },
    { title: 'Cases without a model, twice each', input: { kind: ['retrieval', 'decision', 'context'], runs: 2 } },
  ],
  async run(ctx, input) {
    const place = await testsPlace(ctx)
    const found = await casesIn(ctx, place)
    await keepTestsSchema(ctx.configFiles, place)
    if (found.cases.length + found.broken.length === 0) throw noTests(place.within, found)
    // The baseline is resolved first, so that a missing one does not cost a run.
    const known = new Set(found.cases.map(({ id }) => id))
    const compared = await comparedWith(ctx, input.baseline, undefined, known)
    const run = await runAll(ctx, await prepareRun(ctx, input, { place, found }), input)
    const { runs } = await ctx.analystState()
    const report = await openReport(runs, run, compared)
    const { summary, comparison } = report
    const { outputs, unwritten } = await written(ctx, place, report)
    if (run.end?.reason === 'stopped')
      throw new AppError(
        'stopped',
        `Stopped after ${summary.total.tries} of ${plural(run.planned, 'attempt', 'attempts')}.`,
        {
          hint: `Results so far are kept: resume with ${operationNamed('test_run')} and ${fieldNamed('resume')}.`,
        },
      )
    return {
      run: runData(summary.run),
      total: tallyData(summary.total),
      ...(comparison !== undefined && { comparison: comparisonData(comparison) }),
      cases: summary.cases.filter(({ verdict }) => verdict !== 'passed').map(caseData),
      drafts: found.drafts.length,
      outputs: [...outputs],
      notes: [...unwritten, ...notesOf(summary, input.max_cost)],
    }
  },
  own: (output, _input, view = PLAIN) =>
    [
      ...runHead(output, view),
      ...(output.drafts === 0 ? [] : [`${plural(output.drafts, 'draft')} left out.`]),
      ...output.notes,
      ...output.outputs.slice(-1).map((path) => view.mark('dim', `Report: ${path}`)),
    ].join('\n'),
  render: (output, _input, view = PLAIN) => runBlocks(output, { isWhole: false, view }),
  exit({ run, total, comparison }) {
    // A broken case never passes, not even with a baseline.
    if (total.broken > 0) return 2
    if (comparison !== undefined) return comparison.regressions.length > 0 ? 1 : 0
    return total.failed + total.unfinished > 0 || run.end !== 'complete' ? 1 : 0
  },
})

async function runAll(
  ctx: Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'>,
  { run, planned, before }: PreparedRun,
  { threads, max_cost: maxCost }: { readonly threads: number; readonly max_cost?: number | undefined },
): Promise<TestRun> {
  await freshIndex(ctx, planned)
  const { runs } = await ctx.analystState()
  let failed = before.filter(({ outcome }) => outcome !== 'passed').length
  const { end } = await runSuite(run, planned, before, {
    runs,
    signal: ctx.signal,
    threads,
    maxCost,
    now: () => ctx.clock.now().toISOString(),
    attempt: (one, left) => runCase(ctx, one, left),
    progress(made, done) {
      if (made !== undefined && made.outcome !== 'passed') failed++
      ctx.progress(`${failed === 0 ? '' : `${failed} failed · `}${made?.name ?? ''}`, done, run.planned)
    },
  })
  return { ...run, end: { at: ctx.clock.now().toISOString(), reason: end } }
}

/** A paid run is reported even if its outputs cannot be written. */
const written = (
  ctx: Given<'machine'>,
  place: TestsPlace,
  report: RunReport,
): Promise<{ readonly outputs: readonly string[]; readonly unwritten: readonly string[] }> =>
  writeOutputs(ctx.configFiles, place, report).then(
    (outputs) => ({ outputs, unwritten: [] }),
    (thrown: unknown) => ({
      outputs: [],
      unwritten: [`The results are kept, and were not written to outputs/: ${toAppError(thrown).line}`],
    }),
  )

/**
 * Refreshes the index, so that searches and briefs use the current files even on a machine that never searched here.
 */
async function freshIndex(ctx: Given<'memory'>, planned: PreparedRun['planned']): Promise<void> {
  if (!planned.some(({ found: { test } }) => test.kind === 'retrieval' || test.kind === 'context')) return
  const memory = await ctx.memory()
  await memory.update({ embed: true, progress: ctx.progress, signal: ctx.signal })
}

const noTests = (folder: string, { drafts }: ReadCases): AppError =>
  new AppError(
    'not_found',
    drafts.length === 0 ? `There are no tests in ${folder}/.` : `All tests in ${folder}/ are drafts.`,
    {
      hint:
        drafts.length === 0
          ? `Write one into ${folder}/first.yaml, or make one from a chat with ${operationNamed('test_record')}.`
          : 'Add the expected result and remove the tag "draft".',
    },
  )

function notesOf({ run, total }: RunSummary, maxCost: number | undefined): string[] {
  const limit = fieldNamed('max_cost')
  const goesOn = `${operationNamed('test_run')} with ${fieldNamed('resume')}`
  if (run.end?.reason !== 'budget') return []
  const missing = `${total.notRun} of ${plural(run.planned, 'try', 'tries')} ${total.notRun === 1 ? 'was' : 'were'} not made`
  if (maxCost !== undefined && (total.usage.cost ?? 0) < maxCost && total.withoutPrice > 0)
    return [
      `${missing}: the price of ${run.models.join(', ')} is not known, so ${limit} cannot be kept to. Set model.prices; then ${goesOn} goes on.`,
    ]
  return [`${missing}: what is left of ${limit} is not enough. ${goesOn} and a higher ${limit} goes on.`]
}
