import { z } from 'zod'
import { inDollars } from '../../core/chat/in-dollars.ts'
import { inPercent, inTime } from '../../core/evaluation/figures.ts'
import { runFields, tallyFields } from '../../core/evaluation/report-fields.ts'
import { runData, tallyData } from '../../core/evaluation/report-json.ts'
import { operationNamed } from '../../core/named-operation.ts'
import { dated } from '../../core/view/age.ts'
import { table } from '../../core/view/table.ts'
import { PLAIN } from '../../core/view/view.ts'
import { briefly } from '../../evaluation/open-report.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../operation.ts'
import { endWords, runsHere, shortRun } from './run-fields.ts'

export const testRuns = defineOperation({
  name: 'test_runs',
  title: 'List runs of tests',
  summary: 'Earlier runs of the tests here, the newest first: what passed, with which model, what it cost.',
  details:
    'Of each project the last 200 runs are kept, the last 50 of them with what was checked, answered and called.',
  effect: 'read',
  words: 'own',
  hiddenFrom: NOT_FOR_AGENTS,
  input: { limit: z.number().int().min(1).max(200).default(20).describe('How many at most.') },
  output: {
    runs: z.array(runFields.omit({ broken: true, suite: true }).extend({ total: tallyFields })),
  },
  examples: [
    { title: 'The newest', input: {} },
    { title: 'The last alone', input: { limit: 1 } },
  ],
  async run(ctx, { limit }) {
    const { runs } = await ctx.analystState()
    const found = await runs.list({ ...(await runsHere(ctx)), limit })
    const summaries = await Promise.all(found.map((run) => briefly(runs, run)))
    return {
      runs: summaries.map(({ run, total }) => {
        const { broken: _, suite: _suite, ...told } = runData(run)
        return { ...told, total: tallyData(total) }
      }),
    }
  },
  render({ runs }, _input, view = PLAIN) {
    if (runs.length === 0) return `No tests were run here yet. ${operationNamed('test_run')} runs them.`
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
    return table(
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
    ).join('\n')
  },
})
