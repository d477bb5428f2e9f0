import type { ChatPart } from '../core/chat/part.ts'
import type { StopSignal } from '../core/sql/query.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { Clock } from '../ports/clock.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { LanguageModel } from '../ports/language-model.ts'

export interface LearnParts {
  readonly state: Pick<AnalystState, 'log' | 'memories' | 'calls'>
  readonly clock: Clock
  /** Undefined: what the user says plainly is still learned, by rule. */
  readonly model: LanguageModel | undefined
  /** Tells the same thing in other words; the bundled one. */
  readonly embedder?: Embedder | undefined
  readonly signal: StopSignal
}

export interface LearnTurn {
  readonly user: string
  /** As in the chat. */
  readonly project: string
  readonly chat: string
}

export interface Learned {
  /** To be added to the answer, so that the person sees at once what was kept or forgotten. */
  readonly parts: readonly ChatPart[]
  readonly refused: readonly { readonly content: string; readonly why: string }[]
  /** Why nothing could be learned, where something went wrong. */
  readonly failure?: string
}

/**
 * Looks for what the user's last message says to keep. Reads only what the user wrote, asks the model at most once and
 * only where the message gives reason to, and never throws: call it beside the turn and add its parts when it is done.
 */
export async function learnFromChat(_parts: LearnParts, _turn: LearnTurn): Promise<Learned> {
  return { parts: [], refused: [] }
}
