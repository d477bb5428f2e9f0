import type { z } from 'zod'
import { plural, ellipsis } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import type { Tone } from '../../kernel/domain/view/styled.ts'
import { table } from '../../kernel/domain/view/table.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import { costOf, inPercent, inTime, inTokens, standingOf } from '../domain/figures.ts'
import type { comparisonFields, runFields, tallyFields, caseFields } from '../domain/report-fields.ts'
import type { CaseSummary } from '../domain/summary.ts'
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

type ShownCase = z.output<typeof caseFields>
type Attempt = ShownCase['attempts'][number]
type Check = Attempt['checks'][number]
type Difference = NonNullable<Check['difference']>
type Comparison = z.output<typeof comparisonFields>

const TONES: Readonly<Record<ShownCase['verdict'], Tone>> = {
  passed: 'good',
  failed: 'bad',
  broken: 'bad',
  unfinished: 'warning',
}

// Limits for showing one case in a terminal; the HTML page has more.
const MOST_CELLS = 12
const MOST_CHECKS = 20
const MOST_TEXT = 2_000

/** Case with the reasons for its outcome; with `isWhole`, also the prompt, answer and calls. */
function caseLines(one: ShownCase, isWhole: boolean, view: View): string[] {
  const model = one.model === '-' ? '' : ` with ${one.model}`
  const head = `${view.mark(TONES[one.verdict], standingOf(one))}  ${view.mark('title', one.name)}${model}  ${view.mark('dim', `${one.kind}, ${one.file}`)}`
  const attempts = isWhole ? one.attempts : one.attempts.filter(({ outcome }) => outcome !== 'passed').slice(0, 1)
  return [head, ...attempts.flatMap((attempt) => attemptLines(attempt, one, isWhole, view))]
}

function attemptLines(attempt: Attempt, { tries }: ShownCase, isWhole: boolean, view: View): string[] {
  const checks = isWhole ? attempt.checks : attempt.checks.filter(({ passed }) => !passed)
  return [
    ...(tries > 1 ? [view.mark('dim', `  try ${attempt.attempt}: ${attempt.outcome}`)] : []),
    ...(isWhole ? textLines('asked', attempt.prompt, view) : []),
    ...checks.slice(0, MOST_CHECKS).flatMap((check) => checkLines(check, view)),
    ...(checks.length > MOST_CHECKS ? [`  and ${plural(checks.length - MOST_CHECKS, 'more check')}`] : []),
    ...(isWhole ? textLines('answered', attempt.answer, view) : []),
    ...(isWhole ? attempt.calls.flatMap(callLines) : []),
  ]
}

function checkLines({ expects, passed, found, difference }: Check, view: View): string[] {
  const sign = passed ? view.mark('good', '✓') : view.mark('bad', '✗')
  return [
    `  ${sign} ${line(expects)}${found === undefined ? '' : `; found: ${line(found)}`}`,
    ...(difference === undefined ? [] : differenceLines(difference, found, view)),
  ]
}

function differenceLines(difference: Difference, told: string | undefined, view: View): string[] {
  const { reason, cells, total, missing, extra, missing_rows, extra_rows } = difference
  const shown = cells.slice(0, MOST_CELLS)
  const rows = shown.map(({ column, row, expected, found }) => [
    `row ${row}`,
    column,
    `${said(expected)} expected`,
    `${said(found)} found`,
  ])
  const whole = (title: string, all: Difference['missing_rows'], count: number): string[] => {
    const rowsShown = all.slice(0, MOST_CELLS)
    return [
      ...rowsShown.map((row) => `    ${title}: ${line(row.map(said).join(', '))}`),
      ...(count > rowsShown.length ? [`    ${title}: ${plural(count - rowsShown.length, 'more row')}`] : []),
    ]
  }
  return [
    ...(reason === told ? [] : [`    ${line(reason)}`]),
    ...table(rows, [{ tone: 'dim' }, { tone: 'title' }, { tone: 'good' }, { tone: 'bad' }], view, '    '),
    ...(total > shown.length ? [`    and ${plural(total - shown.length, 'more cell')}`] : []),
    ...whole('missing', missing_rows, missing),
    ...whole('too many', extra_rows, extra),
  ]
}

/**
 * Envelope that marks the origin of a text for agents; not needed here, because the whole text is marked as the
 * analyst's.
 */
const ENVELOPE = /<\/?ken-context[^<>]{0,300}>/g

const callLines = ({ tool, input, failed, result }: Attempt['calls'][number]): string[] => [
  `  called ${tool}${failed ? ', which failed' : ''}: ${line(input)}`,
  ...(result === '' ? [] : [`    ${line(result.replaceAll(ENVELOPE, ''))}`]),
]

const textLines = (title: string, text: string, view: View): string[] =>
  text === ''
    ? []
    : [
        view.mark('dim', `  ${title}:`),
        ...ellipsis(text, MOST_TEXT)
          .split('\n')
          .map((each) => `    ${each}`),
      ]

const line = (text: string): string => ellipsis(text.replaceAll(/\s+/g, ' ').trim(), 300)

const said = (cell: unknown): string =>
  cell === undefined ? 'nothing' : typeof cell === 'string' ? JSON.stringify(cell) : String(cell)

/** Differences from the baseline, regressions first. */
function changeLines(comparison: Comparison, view: View): string[] {
  const lines = (title: string, tone: Tone, changes: Comparison['regressions']): string[] =>
    changes.length === 0
      ? []
      : [
          view.mark(tone, `${title}:`),
          ...changes.slice(0, MOST_CHECKS).map((change) => {
            const stood = [change.was, change.now].flatMap((one) => (one === undefined ? [] : [standingOf(one)]))
            const model = change.model === '-' ? '' : ` with ${change.model}`
            return `  ${change.case}${model}: ${stood.join(' → ')}${change.edited ? ' (the case was edited)' : ''}`
          }),
          ...(changes.length > MOST_CHECKS ? [`  and ${changes.length - MOST_CHECKS} more`] : []),
        ]
  return [
    `Compared with run ${comparison.before.id}: ${plural(comparison.regressions.length, 'regression')}, ${comparison.mended.length} mended, ${comparison.added.length} new, ${comparison.gone.length} gone.`,
    ...lines('Regressions', 'bad', comparison.regressions),
    ...lines('Mended', 'good', comparison.mended),
    ...lines('Another pass rate', 'dim', comparison.shifted),
  ]
}
