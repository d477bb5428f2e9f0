import type { HeldLease } from '../../kernel/ports/shared-lease.ts'
import type { ChatEvent } from '../domain/chat/event.ts'
import type { ChartPainter } from './chart-painter.ts'
import type { ModelKeys } from './model-keys.ts'
import type { Models } from './models.ts'
import type { PagePrinter } from './page-printer.ts'
import type { RunningTurns } from './running-turns.ts'
import type { TurnScope } from './turn-scope.ts'

export interface AnalystNeeds {
  /** US dollars that models cost since a time: all of the user's, or everybody's in a project. */
  spent(query: { readonly since: string; readonly project?: string }): Promise<number>
  /** Turns of the analyst that are under way. */
  readonly turns: RunningTurns
  /** Loaded on first use. */
  charts(): Promise<ChartPainter>
  /** Loaded on first use. */
  pagePrinter(): Promise<PagePrinter>
  /** The right to refresh a story; undefined while another process has it. */
  storyLease(story: string): Promise<HeldLease | undefined>
  /** Environment variables that a Ken server needs to find this state. */
  readonly stateEnvironment: Readonly<Record<string, string>>
  /** The analyst turn that makes this call; undefined for other callers. */
  readonly turn?: TurnScope
  /** Whether the listener asks the person before a call is made, as an agent client with forms does. */
  readonly asksPerson?: boolean
  /**
   * Receives the events of the chat that the call is about, as they happen. Must never throw. A replay of past events
   * awaits the result, so that a slow listener is not overrun; a running turn does not.
   */
  hear?(event: ChatEvent): unknown
  /** Language model, reranker and embedder as the settings name them. */
  readonly models: Models
  /** The keys of model providers. */
  readonly modelKeys: ModelKeys
}
