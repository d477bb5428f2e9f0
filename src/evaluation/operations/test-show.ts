import { z } from 'zod'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { caseFields, comparisonFields, runFields, tallyFields } from '../domain/report-fields.ts'
import { caseData, comparisonData, runData, tallyData } from '../domain/report-json.ts'
import { VERDICTS, type CaseSummary } from '../domain/summary.ts'
import { briefly, openRun } from '../open-report.ts'
import { runBlocks, runHead } from './render-run.ts'
import { baselineField, comparedWith, runField, runNamed } from './run-fields.ts'

export const testShow = defineOperation({
  name: 'test_show',
  title: 'Show a run of tests',
  summary: 'Show a test run, failures first.',
  details:
    'Without --case it shows failures; --all shows every case. With --case it shows those cases in full: question, answer and calls.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['run'],
  input: {
    run: runField,
    case: z
      .array(z.string().min(1).max(300))
      .max(50)
      .default([])
      .describe(
        'Only cases with these words in their name, file or id, in full detail; a whole id selects that case alone.',
      ),
    brief: z.boolean().default(false).describe('Only results, without questions, answers and calls.'),
    all: z.boolean().default(false).describe('Include passed cases.'),
    baseline: baselineField,
    limit: z.number().int().min(1).max(1000).default(50).describe('Maximum number of cases.'),
  },
  output: {
    run: runFields,
    total: tallyFields,
    comparison: comparisonFields.optional(),
    cases: z.array(caseFields).describe('The first failure.'),
    more: z.number().describe('Cases that were left out because of the limit.'),
  },
  examples: [
    { title: 'Failures of the last run', input: {} },
    { title: 'One case, whole', input: { run: 'last', case: ['revenue'] } },
  ],
  async run(ctx, input) {
    const { runs } = await ctx.analystState()
    const run = await runNamed(ctx, input.run)
    const comparison = await comparedWith(ctx, input.baseline, run)
    const summary = await (input.brief ? briefly : openRun)(runs, run)
    const ids = new Set(summary.cases.map((one) => one.case))
    const chosen = summary.cases.filter((one) => isMeant(one, input, ids)).toSorted(worstFirst)
    const compared = comparison?.(summary)
    return {
      run: runData(summary.run),
      total: tallyData(summary.total),
      ...(compared !== undefined && { comparison: comparisonData(compared) }),
      cases: chosen.slice(0, input.limit).map(caseData),
      more: Math.max(0, chosen.length - input.limit),
    }
  },
  isPaged: () => true,
  own: (output, input, view = PLAIN) =>
    [
      ...runHead(output, view),
      ...(output.cases.length === 0 && input.case.length > 0 ? ['No case of it has these words.'] : []),
    ].join('\n'),
  render: (output, input, view = PLAIN) =>
    runBlocks(output, { isWhole: input.case.length > 0, more: output.more, view }),
})

const WORST_FIRST = ['failed', 'broken', 'unfinished', 'passed'] as const satisfies readonly (typeof VERDICTS)[number][]

const worstFirst = (a: CaseSummary, b: CaseSummary): number =>
  WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict)

interface Meant {
  readonly case: readonly string[]
  readonly all: boolean
}

function isMeant(one: CaseSummary, { case: words, all }: Meant, ids: ReadonlySet<string>): boolean {
  if (words.length === 0) return all || one.verdict !== 'passed'
  const text = `${one.case}\n${one.name}\n${one.file}`.toLowerCase()
  return words.some((word) => (ids.has(word) ? word === one.case : text.includes(word.toLowerCase())))
}
