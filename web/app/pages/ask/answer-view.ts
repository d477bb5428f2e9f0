import type { ChatPart } from '../../../../src/analyst/domain/chat/part.ts'
import { answerStart, turnAnswer, type TurnAnswer } from '../../../../src/analyst/domain/chat/turn-answer.ts'

/** A step on the way to an answer, in chronological order. */
export type WayStep =
  | {
      readonly kind: 'call'
      readonly call: string
      readonly tool: string
      readonly input: unknown
      readonly result?: CallResult
    }
  | { readonly kind: 'reasoning' | 'said' | 'notice'; readonly text: string }
  | { readonly kind: 'compaction'; readonly summary: string }

export interface CallResult {
  readonly text: string
  readonly failed: boolean
  readonly output: unknown
}

/** A call that needs or needed a person's approval. */
export interface AskedApproval {
  readonly call: string
  readonly tool: string
  readonly input: unknown
  /** Whether the tool is Ken's and changes something. */
  readonly isOwn: boolean
  readonly answer: 'once' | 'chat' | 'no' | undefined
}

export interface AnswerView extends TurnAnswer {
  readonly steps: readonly WayStep[]
  /** Ids of queries that returned rows, in order. */
  readonly queries: readonly string[]
  /** Queries shown with the answer: charted, cited, or the last. */
  readonly shown: readonly string[]
  readonly approvals: readonly AskedApproval[]
  /** Notices that are not a step: a limit, a missing model. */
  readonly remarks: readonly string[]
}

export function answerView(parts: readonly ChatPart[]): AnswerView {
  const answer = turnAnswer(parts)
  const queries = queriesOf(parts)
  const used = new Set([
    ...answer.charts.map(({ query }) => query),
    ...answer.citations.flatMap(({ query }) => query ?? []),
  ])
  const others = queries.filter((query) => used.has(query))
  return {
    ...answer,
    steps: stepsOf(parts),
    queries,
    shown: others.length > 0 ? others : queries.slice(-1),
    approvals: approvalsOf(parts),
    remarks: parts.flatMap((part) => (part.kind === 'notice' && part.again !== true ? [part.text] : [])),
  }
}

/** Tools that are shown by their effect, not as a step. */
const QUIET = new Set(['suggest_follow_ups', 'clarify'])

function stepsOf(parts: readonly ChatPart[]): readonly WayStep[] {
  const results = new Map(parts.flatMap((part) => (part.kind === 'result' ? [[part.call, part] as const] : [])))
  const start = answerStart(parts)
  const steps = parts.flatMap((part, at): WayStep[] => {
    switch (part.kind) {
      case 'call': {
        if (QUIET.has(part.tool)) return []
        const result = results.get(part.call)
        const { call, tool, input } = part
        const given = result && { text: result.text, failed: result.failed, output: result.output }
        return [{ kind: 'call', call, tool, input, ...(given && { result: given }) }]
      }
      case 'reasoning':
        return part.text.trim() === '' ? [] : [{ kind: 'reasoning', text: part.text }]
      case 'text':
        return at < start && part.text.trim() !== '' ? [{ kind: 'said', text: part.text }] : []
      case 'notice':
        return part.again === true ? [{ kind: 'notice', text: part.text }] : []
      case 'compaction':
        return [{ kind: 'compaction', summary: part.summary }]
      default:
        return []
    }
  })
  return steps
}

function queriesOf(parts: readonly ChatPart[]): readonly string[] {
  const ids = parts.flatMap((part) => {
    if (part.kind !== 'result' || part.failed || part.tool !== 'execute_sql') return []
    const id = queryIdIn(part.output)
    return id === undefined ? [] : [id]
  })
  return [...new Set(ids)]
}

/** Query id in a result of `execute_sql`. */
export function queryIdIn(output: unknown): string | undefined {
  const id = (output as { readonly query_id?: unknown } | null | undefined)?.query_id
  return typeof id === 'string' ? id : undefined
}

function approvalsOf(parts: readonly ChatPart[]): readonly AskedApproval[] {
  const answers = new Map(
    parts.flatMap((part) => (part.kind === 'approved' ? [[part.call, part.answer] as const] : [])),
  )
  return parts.flatMap((part) =>
    part.kind === 'approval'
      ? [
          {
            call: part.call,
            tool: part.tool,
            input: part.input,
            isOwn: part.own === true,
            answer: answers.get(part.call),
          },
        ]
      : [],
  )
}
