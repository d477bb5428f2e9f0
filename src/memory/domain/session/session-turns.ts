import { analyseQuery, openTokenCounter } from '../../../kernel/domain/text/analyse.ts'
import type { Placed, SessionDocument } from './markdown.ts'
import type { ToolCall } from './session.ts'

/** The section under one heading of a session file, in file order. */
export interface SessionTurn extends Placed {
  readonly role: 'user' | 'assistant' | 'summary'
  readonly at: string
  readonly text: string
  readonly tools: readonly ToolCall[]
  readonly files: readonly string[]
  readonly images: number
  readonly queued: boolean
  readonly aborted: boolean
}

export function sessionTurns({ turns, summaries }: SessionDocument): readonly SessionTurn[] {
  const said = turns.map((turn): SessionTurn => {
    const { role, at, text, line, endLine, aborted = false } = turn
    const own = turn.role === 'user' ? turn : undefined
    return {
      role,
      at,
      text,
      line,
      endLine,
      aborted,
      tools: turn.role === 'assistant' ? turn.tools : [],
      files: own?.files ?? [],
      images: own?.images ?? 0,
      queued: own?.queued ?? false,
    }
  })
  const summed = summaries.map((one): SessionTurn => ({ ...one, ...NOTHING_BESIDE, role: 'summary' }))
  return [...said, ...summed].sort((a, b) => a.line - b.line)
}

const NOTHING_BESIDE = { tools: [], files: [], images: 0, queued: false, aborted: false } as const

/** 0-based turn that a line of the file belongs to: the last that begins at or before it. */
export function turnAtLine(turns: readonly Placed[], line: number): number {
  let [low, high] = [0, turns.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (turns[middle]!.line <= line) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/**
 * 0-based indexes of the turns that contain all words of a question in any form; if there are none, of the turns that
 * contain some of them.
 */
export function turnsHolding(turns: readonly SessionTurn[], question: string): number[] {
  const terms = analyseQuery(question)
  if (terms.length === 0) return []
  const counters = terms.map(({ term, parts }) => openTokenCounter([term, ...parts]))
  const any = openTokenCounter(terms.flatMap(({ term, parts }) => [term, ...parts]))
  const some = turns.flatMap((turn, at) => (any(wordsOf(turn)) > 0 ? [at] : []))
  const all = some.filter((at) => counters.every((holds) => holds(wordsOf(turns[at]!)) > 0))
  return all.length > 0 ? all : some
}

const wordsOf = ({ text, tools, files }: SessionTurn): string =>
  [text, ...tools.map(({ name, detail }) => `${name} ${detail ?? ''}`), ...files].join('\n')
