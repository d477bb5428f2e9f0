import type { DraftKind } from '../../../../../src/analyst/domain/feedback/feedback.ts'
import type { Calls } from '../../../api/call.ts'

export type DraftLine = Calls['inbox_list']['output']['drafts'][number]
export type ShownDraft = Calls['inbox_show']['output']

export const KIND_WORDS: Readonly<Record<DraftKind, string>> = {
  rule: 'rule',
  test: 'test',
  memory: 'fact',
  decision: 'decision',
  question: 'question',
}

/** Whether a person edits the whole draft as YAML. */
export const isYaml = (kind: DraftKind): boolean => kind !== 'rule' && kind !== 'memory'

/** Message for a completed action: `Rule applied to RULES.md.` */
export function appliedWords(kind: DraftKind, where: string): string {
  if (kind === 'memory') return 'Fact remembered.'
  if (kind === 'decision' || kind === 'question') return `Recorded as ${where}.`
  return `${titleCase(KIND_WORDS[kind])} applied to ${where}.`
}

export const dismissedWords = (kind: DraftKind): string => `${titleCase(KIND_WORDS[kind])} dismissed.`

const titleCase = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

/** A case's file as named in Tests: relative to the tests folder, without a line. */
export const testFile = (where: string | undefined): string | undefined =>
  where?.replace(/^(?:\.ken\/)?tests\//, '').replace(/:\d+$/, '')

/** The editable text of a draft: a memory is stored as JSON, in which only one sentence is editable. */
export const editableText = ({ kind, body }: Pick<ShownDraft, 'kind' | 'body'>): string =>
  (kind === 'memory' ? memoryIn(body)?.content : undefined) ?? body

/** The body with its text replaced. */
export function withText({ kind, body }: Pick<ShownDraft, 'kind' | 'body'>, text: string): string {
  const memory = kind === 'memory' ? memoryIn(body) : undefined
  return memory === undefined ? text : JSON.stringify({ ...memory, content: text.trim() }, null, 2)
}

/** The content of a memory; validated only by Ken, because the schema would be larger than this page. */
function memoryIn(body: string): { readonly content: string } | undefined {
  try {
    const value = JSON.parse(body) as { readonly content?: unknown } | null
    return typeof value?.content === 'string' ? (value as { readonly content: string }) : undefined
  } catch {
    return undefined
  }
}
