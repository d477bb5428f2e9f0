import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { CaseChange, RunComparison } from './compare-runs.ts'
import { atMinute, costOf, inPercent, inTime, inTokens, standingOf } from './figures.ts'
import type { RunReport } from './run-report.ts'
import type { CaseSummary, RunSummary, Tally } from './summary.ts'
import type { TestCheck } from './test-run.ts'

// Kept short because a comment is read at a glance; the other formats have everything.
const MOST_CASES = 20
const MOST_CELLS = 6
const MOST_WORDS = 160
// GitHub's limit is 65,536.
const MOST_CHARACTERS = 50_000

/** Report as a pull request comment: the result, regressions first, and why the first of them fail. */
export function reportMarkdown({ summary, comparison }: RunReport): string {
  const failing = summary.cases.filter(({ verdict }) => verdict === 'failed' || verdict === 'broken')
  const regressed = new Set(comparison?.regressions.map(keyOf))
  const others = failing.filter((one) => !regressed.has(keyOf(one)))
  const blocks = [
    `### ${headline(summary, comparison)}`,
    figures(summary, comparison),
    ...(comparison === undefined ? [] : changesOf(comparison, failing)),
    ...section(comparison === undefined ? 'Failing' : 'Failing as before, or new', others, failure),
    ...section(
      'No case could be made of',
      summary.run.broken,
      ({ file, line, name, fault }) => `- ${code(`${file}:${line}`)} ${code(name)}: ${code(fault)}`,
    ),
  ]
  return `${[...fitting(blocks), footer(summary, comparison)].join('\n\n')}\n`
}

/** Keeps the comment within the limit: one that is too long is rejected as a whole. */
function fitting(blocks: readonly string[]): string[] {
  const lines = blocks.join('\n\n').split('\n')
  let characters = 0
  const end = lines.findIndex((line) => (characters += line.length + 1) > MOST_CHARACTERS)
  return end === -1 ? [...blocks] : [lines.slice(0, end).join('\n'), 'There is more in the report itself.']
}

/** With a baseline, only a regression counts as bad. */
function headline({ total }: RunSummary, comparison: RunComparison | undefined): string {
  const passed = `${total.passed} of ${plural(total.passed + total.failed, 'case')} passed`
  const broken = total.broken === 0 ? '' : `, ${total.broken} broken`
  const missing = total.notRun === 0 ? '' : `, ${plural(total.notRun, 'try', 'tries')} not made`
  const regressions = comparison?.regressions.length ?? 0
  const isBad = total.broken > 0 || (comparison === undefined ? total.failed > 0 : regressions > 0)
  const changed =
    comparison === undefined ? '' : `${regressions === 0 ? 'no regression' : plural(regressions, 'regression')}, `
  return `${isBad ? '❌' : '✅'} Tests: ${changed}${passed}${broken}${missing}`
}

function figures({ total }: RunSummary, comparison: RunComparison | undefined): string {
  const now = comparison?.now ?? total
  const was = comparison?.was
  const rows: Figure[] = [
    ['passed', (tally) => `${tally.passed} of ${tally.passed + tally.failed} (${inPercent(tally.passRate)})`],
    ...(now.k > 1 ? repeated(now.k) : []),
    ['tokens', ({ usage }) => `${inTokens(usage.input)} in, ${inTokens(usage.output)} out`],
    ['cost', (tally) => costOf(tally) || '—'],
    ['time', ({ milliseconds }) => inTime(milliseconds)],
  ]
  const head = was === undefined ? ['| | |', '| --- | --- |'] : ['| | before | now |', '| --- | --- | --- |']
  const lines = rows.map(([name, of]) => `| ${name} | ${was === undefined ? '' : `${of(was)} | `}${of(now)} |`)
  return [...head, ...lines].join('\n')
}

type Figure = readonly [name: string, of: (tally: Tally) => string]

const repeated = (k: number): Figure[] => [
  ['pass@1', (tally) => inPercent(tally.passAt1)],
  [`pass@${k}`, (tally) => inPercent(tally.passAtK)],
  [`pass^${k}`, (tally) => inPercent(tally.passAllK)],
]

function changesOf(comparison: RunComparison, failing: readonly CaseSummary[]): string[] {
  const found = new Map(failing.map((one) => [keyOf(one), one]))
  const counts = (
    [
      ['mended', comparison.mended],
      ['new', comparison.added],
      ['gone', comparison.gone],
      ['of another pass rate', comparison.shifted],
    ] as const
  ).filter(([, changes]) => changes.length > 0)
  return [
    ...section('Regressions', comparison.regressions, (change) => {
      const one = found.get(keyOf(change))
      return [`- ${changeLine(change)}`, ...(one === undefined ? [] : reasons(one))].join('\n')
    }),
    ...section('Mended', comparison.mended, (change) => `- ${changeLine(change)}`),
    ...(counts.length === 0 ? [] : [`${counts.map(([name, changes]) => `${changes.length} ${name}`).join(', ')}.`]),
  ]
}

function section<T>(title: string, items: readonly T[], told: (item: T) => string): string[] {
  if (items.length === 0) return []
  const left = items.length - MOST_CASES
  const shown = items.slice(0, MOST_CASES).map(told)
  return [[`**${title}**`, '', ...shown, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')]
}

const changeLine = (change: CaseChange): string => {
  const was = change.was === undefined ? 'not there' : standingOf(change.was)
  const now = change.now === undefined ? 'not there' : standingOf(change.now)
  return `${code(change.case)}${ofModel(change.model)}: ${was} → ${now}${change.edited ? ' (the case was edited)' : ''}`
}

const failure = (one: CaseSummary): string =>
  [`- ${code(one.case)}${ofModel(one.model)}: ${standingOf(one)}`, ...reasons(one)].join('\n')

const ofModel = (model: string): string => (model === '-' ? '' : ` with ${code(model)}`)

/** Reasons from the first try that did not pass. */
function reasons(one: CaseSummary): string[] {
  const attempt = one.attempts.find(({ outcome }) => outcome !== 'passed')
  const faults = attempt?.checks.filter(({ passed }) => !passed) ?? []
  return faults.slice(0, 3).flatMap(reasonLines)
}

function reasonLines({ expects, found, difference }: TestCheck): string[] {
  const line = `  - ${code(expects)}${found === undefined ? '' : `, found ${code(found)}`}`
  if (difference === undefined) return [line]
  const left = difference.total - Math.min(MOST_CELLS, difference.cells.length)
  return [
    `${line}: ${code(difference.reason)}`,
    ...difference.cells
      .slice(0, MOST_CELLS)
      .map(
        ({ column, row, expected, found: cell }) =>
          `    - row ${row}, ${code(column)}: ${code(said(expected))} expected, ${code(said(cell))} found`,
      ),
    ...(left > 0 ? [`    - and ${plural(left, 'more cell')}`] : []),
  ]
}

function footer({ run }: RunSummary, comparison: RunComparison | undefined): string {
  const of = ({ id, startedAt, commit }: { id: string; startedAt: string; commit?: string | undefined }): string =>
    `${code(id)} of ${code(atMinute(startedAt))}${commit === undefined ? '' : ` at ${code(commit.slice(0, 12))}`}`
  const models = run.models.filter((model) => model !== '-').map(code)
  const than = comparison === undefined ? '' : `, compared with run ${of(comparison.before)}`
  return `<sub>Run ${of(run)}${models.length === 0 ? '' : ` with ${models.join(', ')}`}${than}.</sub>`
}

const keyOf = (one: Pick<CaseChange, 'case' | 'model'>): string => JSON.stringify([one.case, one.model])

const said = (cell: unknown): string =>
  cell === undefined
    ? 'nothing'
    : cell === null
      ? 'null'
      : typeof cell === 'string'
        ? JSON.stringify(cell)
        : String(cell)

/** Formats text as code, so that names do not notify people, and links and tags have no effect. */
const code = (text: string): string => {
  const line = ellipsis(visibleLine(text), MOST_WORDS).replaceAll('`', 'ˋ')
  return line === '' ? '(empty)' : `\`${line}\``
}
