import { ellipsis } from '../../kernel/domain/text.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { caseFileName, caseName, caseText } from './case-text.ts'
import { readCases, type ReadCases } from './read-cases.ts'

export interface TestFacts {
  /** What the person asked, in their words. */
  readonly question: string
  readonly reason: string
  /** The statement that the answer rests on, where one was run. */
  readonly sql: string | undefined
  readonly answer: string
  /** `2026-11-16`. */
  readonly day: string
  /** What the person had said before in the chat. */
  readonly earlier: readonly string[]
  /** Where the one that the question gives is taken. */
  readonly name?: string
}

const LONGEST_ANSWER = 600

/**
 * A case for `tests/` as YAML. What the analyst ran and said stands in comments, as a quote: it was voted down, so it is
 * not what a test should expect. The tag `draft` says that a person has not said yet what is.
 */
export function draftTest({ question, reason, sql, answer, day, earlier, name }: TestFacts): string {
  return caseText({
    about: `From a downvote of ${day}. Say what is expected, then take the tag "draft" away.`,
    fields: {
      name: name ?? caseName(question),
      kind: sql === undefined ? 'answer' : 'sql',
      prompt: visible(question).trim() || '-',
      ...(earlier.length > 0 && { earlier: earlier.map(visible) }),
      tags: ['feedback', 'draft'],
      ...(sql === undefined ? { assert: [] } : { sql: '' }),
    },
    quotes: [
      { title: 'Why it was voted down, in the words of the person:', text: reason },
      sql === undefined
        ? {
            title: 'What the analyst answered, which is not what is expected; e.g. - contains: "12,400" is:',
            text: ellipsis(answer, LONGEST_ANSWER),
          }
        : { title: 'What the analyst ran, to be corrected above:', text: sql },
    ],
  })
}

/** The name of the file for it, without its folder. */
export const testFileName = (body: string): string => `${caseFileName(read(body).names[0] ?? 'from feedback')}.yaml`

/** Why a text is no test; undefined when it is one. A draft may leave open what is expected. */
export function testFault(body: string): string | undefined {
  const { names, broken } = read(body)
  const [first] = broken
  if (first !== undefined) return `Line ${first.line} of the test: ${first.fault.replace(/\.$/, '')}.`
  return names.length === 0 ? 'There is no case in it.' : undefined
}

/** Whether a person has still to say what is expected. */
export const isUnfinishedTest = (body: string): boolean => read(body).drafts.length > 0

function read(body: string): ReadCases & { readonly names: readonly string[] } {
  const found = readCases('from-feedback.yaml', body)
  const named = [...found.cases.map(({ line, test: { name } }) => ({ line, name })), ...found.drafts]
  return { ...found, names: named.toSorted((a, b) => a.line - b.line).map(({ name }) => name) }
}
