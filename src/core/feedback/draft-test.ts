import { parse, stringify } from 'yaml'
import { AppError } from '../errors.ts'
import { ellipsis } from '../text.ts'
import { visible, visibleLine } from '../trust/visible.ts'
import { CONFIG_BOUNDS, yamlExcess } from '../yaml-bounds.ts'

export interface TestFacts {
  /** What the person asked, in their words. */
  readonly question: string
  readonly reason: string
  /** The statement that the answer rests on, where one was run. */
  readonly sql: string | undefined
  readonly answer: string
  /** `2026-11-16`. */
  readonly day: string
}

const LONGEST_NAME = 80
const LONGEST_ANSWER = 600
const LONGEST_SQL = 4_000

/**
 * A case for `tests/` as YAML. What the analyst ran and said stands in comments, as a quote: it was voted down, so it is
 * not what a test should expect. The tag `draft` says that a person has not said yet what is.
 */
export function draftTest({ question, reason, sql, answer, day }: TestFacts): string {
  const fields = stringify(
    [
      {
        name: testName(question),
        kind: sql === undefined ? 'answer' : 'sql',
        prompt: visible(question).trim(),
        tags: ['feedback', 'draft'],
      },
    ],
    { lineWidth: 0 },
  )
  return [
    `# From a downvote of ${day}. Say what is expected, then take the tag "draft" away.`,
    fields.trimEnd(),
    ...(reason.trim() === '' ? [] : quoted('Why it was voted down, in the words of the person:', reason)),
    ...(sql === undefined
      ? [
          ...quoted('What the analyst answered, which is not what is expected:', ellipsis(answer, LONGEST_ANSWER)),
          '  assert: [] # e.g. - contains: "12,400"',
        ]
      : [
          ...quoted('What the analyst ran, to be corrected below:', ellipsis(sql, LONGEST_SQL)),
          '  sql: "" # the statement whose result is right',
        ]),
    '',
  ].join('\n')
}

const quoted = (title: string, text: string): string[] =>
  text.trim() === ''
    ? []
    : [
        `  # ${title}`,
        ...visible(text)
          .trim()
          .split('\n')
          .map((line) => `  #   ${line}`.trimEnd()),
      ]

const testName = (question: string): string => ellipsis(visibleLine(question), LONGEST_NAME) || 'A question'

/** The name of the file for it, without its folder. */
export function testFileName(body: string): string {
  const [first] = readCases(body)
  const words = String(first?.['name'] ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return `${(words ?? ['from-feedback']).join('-').slice(0, 60).replace(/-$/, '')}.yaml`
}

/** Why a text is no test; undefined when it is one. */
export function testFault(body: string): string | undefined {
  let cases: readonly Readonly<Record<string, unknown>>[]
  try {
    cases = readCases(body)
  } catch (error) {
    return error instanceof AppError ? error.message : 'The test is no valid YAML.'
  }
  if (cases.length === 0) return 'There is no case in it.'
  const lacking = ['name', 'kind', 'prompt'].find((field) =>
    cases.some((one) => typeof one?.[field] !== 'string' || one[field] === ''),
  )
  return lacking === undefined ? undefined : `A case has no "${lacking}".`
}

/** Whether a person has still to say what is expected. */
export function isUnfinishedTest(body: string): boolean {
  return readCases(body).some(({ tags }) => Array.isArray(tags) && tags.includes('draft'))
}

function readCases(body: string): readonly Readonly<Record<string, unknown>>[] {
  const excess = yamlExcess(body, { ...CONFIG_BOUNDS, aliases: 0 })
  if (excess !== undefined) throw new AppError('invalid_input', `The test cannot be read: ${excess}.`)
  const read: unknown = parse(body, { prettyErrors: false })
  return Array.isArray(read) ? (read as Readonly<Record<string, unknown>>[]) : []
}
