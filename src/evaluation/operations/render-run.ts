import type { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import { costOf, inPercent, inTime, inTokens } from '../domain/figures.ts'
import type { comparisonFields, runFields, tallyFields } from '../domain/report-fields.ts'
import type { CaseSummary } from '../domain/summary.ts'
import { caseLines, changeLines, type ShownCase } from './render-case.ts'
import { endWords } from './run-fields.ts'

interface ShownRun {
  readonly run: z.output<typeof runFields>
  readonly total: z.output<typeof tallyFields>
  readonly comparison?: z.output<typeof comparisonFields> | undefined
  readonly cases: readonly z.output<z.ZodType>[]
}

/** Figures of a run. */
export function runHead({ run, total }: Pick<ShownRun, 'run' | 'total'>, view: View): readonly string[] {
  const models = run.models.filter((model) => model !== '-')
  const end = endWords(run, total.not_run)
  const judged = total.passed + total.failed
  const counts = [
    judged === 0
      ? 'No case could be judged'
      : `${total.passed} of ${plural(judged, 'case')} passed (${inPercent(total.pass_rate)})`,
    ...(total.failed > 0 ? [`${total.failed} failed`] : []),
    ...(total.broken > 0 ? [`${total.broken} broken`] : []),
    ...(total.unfinished > 0 ? [`${total.unfinished} unfinished`] : []),
  ]
  const repeated =
    total.k > 1
      ? [
          `pass@1 ${inPercent(total.pass_at_1)}, pass@${total.k} ${inPercent(total.pass_at_k)}, pass^${total.k} ${inPercent(total.pass_all_k)}`,
        ]
      : []
  const cost = costOf({ usage: total.usage as CaseSummary['usage'], withoutPrice: total.without_price })
  const spent = total.usage.input + total.usage.output
  const facts = [
    ...(spent > 0 ? [`${inTokens(total.usage.input)} tokens in, ${inTokens(total.usage.output)} out`] : []),
    ...(cost === '' ? [] : [cost]),
    inTime(total.milliseconds),
  ]
  return [
    `Run ${run.id}, ${dated(run.started_at, view)}${models.length === 0 ? '' : `, with ${models.join(', ')}`}${end === '' ? '' : `, ${end}`}`,
    view.mark(total.failed + total.broken === 0 ? 'good' : 'bad', `${counts.join(', ')}.`),
    ...[...repeated, facts.join(', ')].map((line) => view.mark('dim', line)),
  ]
}

/** Report on the cases of a run: changes, broken cases, and each case that is shown. */
export function runBlocks(
  { run, comparison, cases }: Pick<ShownRun, 'run' | 'comparison' | 'cases'>,
  { isWhole, more = 0, view }: { readonly isWhole: boolean; readonly more?: number; readonly view: View },
): string {
  const blocks = [
    ...(comparison === undefined ? [] : [changeLines(comparison, view)]),
    ...run.broken.map(({ file, line, name, fault }) => [
      `${view.mark('bad', 'broken')}  ${name === file ? '' : `${view.mark('title', name)}  `}${view.mark('dim', `${file}:${line}`)}`,
      `  ${fault}`,
    ]),
    ...cases.map((one) => caseLines(one as ShownCase, isWhole, view)),
    ...(more > 0 ? [[view.mark('dim', `${plural(more, 'more case')}; --limit shows more.`)]] : []),
  ]
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}
