import { plural } from '../../kernel/domain/text.ts'
import { withoutHidden } from '../../kernel/domain/trust/visible.ts'
import type { RunReport } from './run-report.ts'
import type { CaseSummary } from './summary.ts'
import type { TestAttempt, TestCheck } from './test-run.ts'

// Length of a failure message that CI servers show; the other formats have more.
const MOST_TEXT = 4_000

interface Written {
  readonly xml: string
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped'
  readonly milliseconds: number
}

/** Report as JUnit XML, for servers that show tests: one suite per file; a case that cannot be run is an error. */
export function reportJunit({ summary: { run, cases, total } }: RunReport): string {
  const files = new Map<string, Written[]>()
  const add = (file: string, written: Written): void => {
    const suite = files.get(file) ?? []
    files.set(file, suite)
    suite.push(written)
  }
  const severalModels = new Set(cases.map(({ model }) => model).filter((model) => model !== '-')).size > 1
  for (const one of cases) add(one.file, caseXml(one, severalModels))
  for (const { file, line, name, fault } of run.broken)
    add(file, {
      xml: testCase(file, name, 0, `<error message="${attribute(`${file}:${line}: ${fault}`)}" type="broken"/>`),
      kind: 'error',
      milliseconds: 0,
    })
  if (total.notRun > 0)
    add('not run', {
      xml: testCase(
        'not run',
        plural(total.notRun, 'try was not made', 'tries were not made'),
        0,
        `<skipped message="${attribute(`the run was ended: ${run.end?.reason ?? 'cut off'}`)}"/>`,
      ),
      kind: 'skipped',
      milliseconds: 0,
    })
  const suites = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ken test"${counts(suites.flatMap(([, all]) => all))}>
${suites.map(([file, all]) => suiteXml(file, all, run.startedAt)).join('\n')}
</testsuites>
`
}

const suiteXml = (file: string, all: readonly Written[], at: string): string =>
  `<testsuite name="${attribute(file)}"${counts(all)} timestamp="${attribute(at.replace(/\.\d+Z?$|Z$/, ''))}">
${all.map(({ xml }) => xml).join('\n')}
</testsuite>`

function counts(all: readonly Written[]): string {
  const of = (kind: Written['kind']): number => all.filter((one) => one.kind === kind).length
  const time = all.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  return ` tests="${all.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}" time="${inSeconds(time)}"`
}

function caseXml(one: CaseSummary, severalModels: boolean): Written {
  const name = severalModels && one.model !== '-' ? `${one.name} [${one.model}]` : one.name
  const written = (kind: Written['kind'], inside: string): Written => ({
    xml: testCase(one.file, name, one.milliseconds, inside),
    kind,
    milliseconds: one.milliseconds,
  })
  if (one.verdict === 'passed') return written('passed', '')
  if (one.verdict === 'unfinished')
    return written('skipped', `<skipped message="${attribute(`${one.passes} of ${one.tries} passed so far`)}"/>`)
  const outcome = one.verdict === 'broken' ? 'broken' : 'failed'
  const attempt = one.attempts.find((each) => each.outcome === outcome)
  const faults = attempt?.checks.filter(({ passed }) => !passed) ?? []
  const [first] = faults
  const rate = one.tries > 1 ? `${one.passes} of ${one.tries} passed: ` : ''
  const message = `${rate}${first === undefined ? one.verdict : checkLine(first)}`
  const tag = one.verdict === 'broken' ? 'error' : 'failure'
  const body = attempt === undefined ? '' : bodyOf(attempt, faults)
  return written(
    tag,
    `<${tag} message="${attribute(message.slice(0, 500))}" type="${one.verdict}">${content(body)}</${tag}>`,
  )
}

function testCase(file: string, name: string, milliseconds: number, inside: string): string {
  const head = `<testcase classname="${attribute(file)}" name="${attribute(name)}" file="${attribute(file)}" time="${inSeconds(milliseconds)}"`
  return inside === '' ? `${head}/>` : `${head}>${inside}</testcase>`
}

const checkLine = ({ expects, found }: TestCheck): string =>
  found === undefined ? expects : `${expects}: found ${found}`

const bodyOf = (attempt: TestAttempt, faults: readonly TestCheck[]): string =>
  [
    ...faults.flatMap((check) => [checkLine(check), ...cellLines(check)]),
    `prompt: ${attempt.prompt}`,
    `answer: ${attempt.answer}`,
  ]
    .join('\n')
    .slice(0, MOST_TEXT)

const cellLines = ({ difference }: TestCheck): string[] =>
  difference === undefined
    ? []
    : [
        `  ${difference.reason}`,
        ...difference.cells
          .slice(0, 20)
          .map(
            ({ column, row, expected, found }) =>
              `  row ${row}, ${column}: ${said(expected)} expected, ${said(found)} found`,
          ),
      ]

const said = (cell: unknown): string => (cell === undefined ? 'nothing' : cell === null ? 'null' : String(cell))

const inSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

/** XML cannot represent most control characters, and one of them makes the whole file unreadable. */
const plain = (text: string): string =>
  withoutHidden(text.toWellFormed()).replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')

const content = (text: string): string =>
  plain(text).replaceAll(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'))

const attribute = (text: string): string =>
  content(text)
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`)
