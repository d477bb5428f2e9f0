import type { ModelMessage, ModelToolCall } from '../../kernel/ports/language-model.ts'
import type { Chat, ChatMessage } from '../domain/chat/chat.ts'
import type { Approval } from '../domain/chat/part.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { Answerer } from '../ports/models.ts'
import type { LiveTurn } from '../running-turns.ts'
import type { TurnAdditions } from '../turn-content.ts'
import type { TurnWriter } from '../turn-writer.ts'

/** A question that somebody asked, and the answer to be written. */
export interface AskedTurn {
  readonly chat: Chat
  readonly question: ChatMessage
  readonly answer: ChatMessage
  readonly words: string
  readonly images: TurnAdditions['images']
  readonly answerer: Answerer | undefined
  readonly live: LiveTurn
  /** What the person should know before the answer, e.g. that a budget is nearly spent. */
  readonly warnings: readonly string[]
  /** Of the person's own words, which alone are learned from; an agent that asks is nobody's memory. */
  readonly isPerson: boolean
  approve(call: ModelToolCall): Promise<Approval>
}

/** What whoever answers works with. */
export interface TurnDesk {
  readonly state: AnalystState
  readonly writer: TurnWriter
  readonly before: TurnHistory
}

export interface TurnHistory {
  readonly messages: readonly ModelMessage[]
  readonly end: number
  readonly asked: readonly string[]
  /** Tools of others that the person allowed for this chat. */
  readonly allowed: Set<string>
}
