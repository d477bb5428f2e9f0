import type { ChartSpec } from '../chart/chart.ts'
import type { ChatPart, Citation, Injected } from './part.ts'

/** Summary of one analyst message. */
export interface TurnAnswer {
  /** The answer itself, without earlier texts of the turn. */
  readonly text: string
  readonly question: string | undefined
  readonly options: readonly string[]
  readonly charts: readonly ChartSpec[]
  readonly stories: readonly string[]
  readonly citations: readonly Citation[]
  readonly followUps: readonly string[]
  readonly remembered: readonly string[]
  readonly notices: readonly string[]
  readonly injected: Injected | undefined
  readonly failure: { readonly code: string; readonly message: string; readonly hint?: string } | undefined
}

/** Tools that belong to the answer rather than to the research before it. */
const PART_OF_ANSWER = new Set(['display_chart', 'story', 'suggest_follow_ups', 'clarify'])

export function turnAnswer(parts: readonly ChatPart[]): TurnAnswer {
  const of = <K extends ChatPart['kind']>(kind: K): Extract<ChatPart, { kind: K }>[] =>
    parts.filter((part): part is Extract<ChatPart, { kind: K }> => part.kind === kind)
  const question = of('question').at(-1)
  const failure = of('failure').at(-1)
  return {
    text: answerText(parts),
    question: question?.question,
    options: question?.options ?? [],
    charts: of('chart').map(({ chart }) => chart),
    stories: [...new Set(of('story').map(({ story }) => story))],
    citations: of('citations').flatMap(({ citations }) => citations),
    followUps: of('follow_ups').flatMap(({ questions }) => questions),
    remembered: of('remembered').map(({ content }) => content),
    notices: of('notice').map(({ text }) => text),
    injected: of('injected').at(-1)?.injected,
    failure: failure && {
      code: failure.code,
      message: failure.message,
      ...(failure.hint !== undefined && { hint: failure.hint }),
    },
  }
}

/**
 * Returns the texts after the last research tool call, or after interrupted and repeated text; all texts if none
 * follows.
 */
export const answerText = (parts: readonly ChatPart[]): string =>
  parts
    .slice(answerStart(parts))
    .flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []))
    .filter((text) => text !== '')
    .join('\n\n')

/** Index of the part at which the answer itself begins. */
export function answerStart(parts: readonly ChatPart[]): number {
  const at = parts.findLastIndex((part) =>
    part.kind === 'result' ? !PART_OF_ANSWER.has(part.tool) : part.kind === 'notice' && part.again === true,
  )
  return parts.slice(at + 1).some((part) => part.kind === 'text' && part.text.trim() !== '') ? at + 1 : 0
}
