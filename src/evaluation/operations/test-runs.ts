import { z } from 'zod'
import { inDollars } from '../../analyst/domain/chat/in-dollars.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { inPercent, inTime } from '../domain/figures.ts'
import { caseFields, runFields, tallyFields } from '../domain/report-fields.ts'
import { runData, tallyData } from '../domain/report-json.ts'
import { stripOfRuns } from '../domain/strip-of-runs.ts'
import { VERDICTS } from '../domain/summary.ts'
import { briefly } from '../open-report.ts'
import { endWords, runsHere, shortRun } from './run-fields.ts'

export const testRuns = defineOperation({
  name: 'test_runs',
  title: 'List runs of tests',
  summary: 'List earlier test runs with results, model and cost.',
  details: 'The last 200 runs of each project are kept, the last 50 with checks, answers and calls.',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    limit: z.number().int().min(1).max(200).default(20).describe('Maximum number.'),
    cases: z.boolean().default(false).describe('Include each case’s result in each run.'),
  },
  output: {
    runs: z.array(
      runFields.omit({ broken: true, suite: true }).extend({
        total: tallyFields,
        verdicts: z
          .array(z.enum(VERDICTS).nullable())
          .optional()
          .describe('In the order of `cases`; null if it was not part of the run.'),
      }),
    ),
    cases: z
      .array(caseFields.pick({ case: true, name: true, file: true, kind: true, tags: true, model: true }))
      .optional()
      .describe('All cases of these runs, each once with each model.'),
  },
  examples: [
    { title: 'The newest', input: {} },
    { title: 'Case by case', input: { cases: true } },
    { title: 'The last alone', input: { limit: 1 } },
  ],
  async run(ctx, { limit, cases: isStrip }) {
    const { runs } = await ctx.analystState()
    const found = await runs.list({ ...(await runsHere(ctx)), limit })
    const summaries = await Promise.all(found.map((run) => briefly(runs, run)))
    const strip = isStrip ? stripOfRuns(summaries) : undefined
    return {
      runs: summaries.map(({ run, total }, at) => {
        const { broken: _, suite: _suite, ...told } = runData(run)
        return { ...told, total: tallyData(total), ...(strip && { verdicts: [...strip.verdicts[at]!] }) }
      }),
      ...(strip && { cases: strip.cases.map((one) => ({ ...one, tags: [...one.tags] })) }),
    }
  },
  render({ runs, cases }, _input, view = PLAIN) {
    if (runs.length === 0) return `No tests were run here yet. Run them with ${operationNamed('test_run')}.`
    const rows = runs.map(({ id, started_at, models, total, ...run }) => [
      shortRun(id),
      dated(started_at, view),
      `${total.passed} of ${total.passed + total.failed} passed`,
      inPercent(total.pass_rate),
      total.broken === 0 ? '' : `${total.broken} broken`,
      total.usage.cost === undefined ? '' : inDollars(total.usage.cost),
      inTime(total.milliseconds),
      models.filter((model) => model !== '-').join(', '),
      endWords(run, total.not_run),
    ])
    const tone = (row: number) => (runs[row]!.total.failed + runs[row]!.total.broken === 0 ? 'good' : 'bad')
    const listed = table(
      rows,
      [
        { tone: 'dim' },
        { tone: 'dim' },
        { tone },
        { align: 'right' },
        { tone: 'bad' },
        { align: 'right' },
        { align: 'right' },
        { shrinks: true },
        { tone: 'warning' },
      ],
      view,
    )
    return [...listed, ...(cases === undefined ? [] : ['', ...stripLines({ runs, cases }, view)])].join('\n')
  },
})

const SIGNS = { passed: '✓', failed: '✗', broken: '!', unfinished: '…' } as const
const TONES = { passed: 'good', failed: 'bad', broken: 'bad', unfinished: 'warning' } as const

interface Strip {
  readonly runs: readonly { readonly verdicts?: readonly (keyof typeof SIGNS | null)[] | undefined }[]
  readonly cases: readonly { readonly name: string; readonly model: string }[]
}

/** One line per case, with the oldest run on the left. */
function stripLines({ runs, cases }: Strip, view: View): string[] {
  const columns = runs.toReversed()
  const rows = cases.map(({ name, model }, at) => [
    columns.map(({ verdicts }) => signOf(verdicts?.[at])).join(''),
    model === '-' ? name : `${name} (${model})`,
  ])
  const tone = (at: number) => TONES[columns.at(-1)?.verdicts?.[at] ?? 'unfinished']
  return table(rows, [{ tone }, { shrinks: true }], view)
}

const signOf = (verdict: keyof typeof SIGNS | null | undefined): string => (verdict ? SIGNS[verdict] : '·')
