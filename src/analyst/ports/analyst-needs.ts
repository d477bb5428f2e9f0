import type { HeldLease } from '../../kernel/ports/shared-lease.ts'
import type { ChatEvent } from '../domain/chat/event.ts'
import type { ChartPainter } from './chart-painter.ts'
import type { ModelKeys } from './model-keys.ts'
import type { Models } from './models.ts'
import type { PagePrinter } from './page-printer.ts'
import type { RunningTurns } from './running-turns.ts'
import type { TurnScope } from './turn-scope.ts'

export interface AnalystNeeds {
  /** Returns the model cost since a time, in US dollars: the user's, or everybody's in a project. */
  spent(query: { readonly since: string; readonly project?: string }): Promise<number>
  readonly turns: RunningTurns
  /** Loaded on first use. */
  charts(): Promise<ChartPainter>
  /** Loaded on first use. */
  pagePrinter(): Promise<PagePrinter>
  /** Acquires the lease for refreshing a story; undefined while another process holds it. */
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
  /** Language model, reranker and embedder according to the settings. */
  readonly models: Models
  readonly modelKeys: ModelKeys
}
