import type { LanguageModel, ModelMessage, ModelToolCall } from '../../kernel/ports/language-model.ts'
import type { Chat, ChatMessage } from '../domain/chat/chat.ts'
import type { Approval } from '../domain/chat/part.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { Answerer } from '../ports/models.ts'
import type { LiveTurn } from '../running-turns.ts'
import type { turnContent, TurnAdditions } from '../turn-content.ts'
import type { TurnWriter } from '../turn-writer.ts'

/** A question and the answer to be written. */
export interface AskedTurn {
  readonly chat: Chat
  readonly question: ChatMessage
  readonly answer: ChatMessage
  readonly words: string
  readonly images: TurnAdditions['images']
  readonly answerer: Answerer | undefined
  readonly live: LiveTurn
  /** Warnings before the answer, e.g. that a budget is nearly spent. */
  readonly warnings: readonly string[]
  /** Requests three statements and answers with the majority of their results. */
  readonly isSure: boolean
  /** Whether a person asked: memories are learned only from a person's own words, never from an agent's. */
  readonly isPerson: boolean
  approve(call: ModelToolCall): Promise<Approval>
}

/** Dependencies of an answerer. */
export interface TurnDesk {
  readonly state: AnalystState
  readonly writer: TurnWriter
  readonly before: TurnHistory
}

/** Dependencies of an answer by a model. */
export interface ModelDesk extends TurnDesk {
  readonly model: LanguageModel
  /** The operations available as tools. */
  readonly names: readonly string[]
  readonly system: string
  readonly content: ReturnType<typeof turnContent>
  readonly hasOthersWords: boolean
}

export interface TurnHistory {
  readonly messages: readonly ModelMessage[]
  readonly end: number
  readonly asked: readonly string[]
  /** Third-party tools that the person allowed for this chat. */
  readonly allowed: Set<string>
}
