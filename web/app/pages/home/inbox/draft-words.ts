import type { DraftKind } from '../../../../../src/analyst/domain/feedback/feedback.ts'
import type { Calls } from '../../../api/call.ts'

export type DraftLine = Calls['inbox_list']['output']['drafts'][number]
export type ShownDraft = Calls['inbox_show']['output']

export const KIND_WORDS: Readonly<Record<DraftKind, string>> = { rule: 'rule', test: 'test', memory: 'fact' }

/** What was done, for a notice: `Rule applied to RULES.md.` */
export function appliedWords(kind: DraftKind, where: string): string {
  if (kind === 'memory') return 'Fact remembered.'
  return `${kind === 'rule' ? 'Rule' : 'Test'} applied to ${where}.`
}

export const dismissedWords = (kind: DraftKind): string =>
  `${kind === 'rule' ? 'Rule' : kind === 'test' ? 'Test' : 'Fact'} dismissed.`

/** The file of a case as Tests calls it: below the folder of the tests, without a line. */
export const testFile = (where: string | undefined): string | undefined =>
  where?.replace(/^(?:\.ken\/)?tests\//, '').replace(/:\d+$/, '')

/** What a person reads and edits of a draft: a memory is kept as JSON, of which one sentence is theirs. */
export const editableText = ({ kind, body }: Pick<ShownDraft, 'kind' | 'body'>): string =>
  (kind === 'memory' ? memoryIn(body)?.content : undefined) ?? body

/** The body with another text in it. */
export function withText({ kind, body }: Pick<ShownDraft, 'kind' | 'body'>, text: string): string {
  const memory = kind === 'memory' ? memoryIn(body) : undefined
  return memory === undefined ? text : JSON.stringify({ ...memory, content: text.trim() }, null, 2)
}

/** Whether it is a memory is for Ken to judge; the schema that says so would weigh more than this page. */
function memoryIn(body: string): { readonly content: string } | undefined {
  try {
    const value = JSON.parse(body) as { readonly content?: unknown } | null
    return typeof value?.content === 'string' ? (value as { readonly content: string }) : undefined
  } catch {
    return undefined
  }
}
