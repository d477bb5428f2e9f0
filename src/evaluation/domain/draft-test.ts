import { ellipsis } from '../../kernel/domain/text.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { caseFileName, caseName, caseText } from './case-text.ts'
import { readCases, type ReadCases } from './read-cases.ts'

export interface TestFacts {
  /** The person's question, in their words. */
  readonly question: string
  readonly reason: string
  /** Statement that the answer is based on, if one was run. */
  readonly sql: string | undefined
  readonly answer: string
  /** `2026-11-16`. */
  readonly day: string
  /** The person's earlier messages in the chat. */
  readonly earlier: readonly string[]
  /** Replacement name, if the name from the question is taken. */
  readonly name?: string
}

const LONGEST_ANSWER = 600

/**
 * Case for `tests/` as YAML. The analyst's statement and answer are quoted in comments: the answer was voted down, so a
 * test must not expect it. The tag `draft` marks that a person has not yet stated the expectation.
 */
export function draftTest({ question, reason, sql, answer, day, earlier, name }: TestFacts): string {
  return caseText({
    about: `From a downvote on ${day}. Add the expected result, then remove the tag "draft".`,
    fields: {
      name: name ?? caseName(question),
      kind: sql === undefined ? 'answer' : 'sql',
      prompt: visible(question).trim() || '-',
      ...(earlier.length > 0 && { earlier: earlier.map(visible) }),
      tags: ['feedback', 'draft'],
      ...(sql === undefined ? { assert: [] } : { sql: '' }),
    },
    quotes: [
      { title: 'Reason given for the downvote:', text: reason },
      sql === undefined
        ? {
            title: 'The analyst’s answer, which was voted down. An expected result looks like - contains: "12,400":',
            text: ellipsis(answer, LONGEST_ANSWER),
          }
        : { title: 'What the analyst ran, to be corrected above:', text: sql },
    ],
  })
}

/** File name for a test, without folder. */
export const testFileName = (body: string): string => `${caseFileName(read(body).names[0] ?? 'from feedback')}.yaml`

/** Why a text is not a test; undefined if it is one. A draft may leave the expectation open. */
export function testFault(body: string): string | undefined {
  const { names, broken } = read(body)
  const [first] = broken
  if (first !== undefined) return `Line ${first.line} of the test: ${first.fault.replace(/\.$/, '')}.`
  return names.length === 0 ? 'There is no case in it.' : undefined
}

/** Whether a person must still state the expectation. */
export const isUnfinishedTest = (body: string): boolean => read(body).drafts.length > 0

function read(body: string): ReadCases & { readonly names: readonly string[] } {
  const found = readCases('from-feedback.yaml', body)
  const named = [...found.cases.map(({ line, test: { name } }) => ({ line, name })), ...found.drafts]
  return { ...found, names: named.toSorted((a, b) => a.line - b.line).map(({ name }) => name) }
}
