import type { HeldLease } from '../../kernel/ports/shared-lease.ts'
import type { ChatEvent } from '../domain/chat/event.ts'
import type { ChartPainter } from './chart-painter.ts'
import type { ModelKeys } from './model-keys.ts'
import type { Models } from './models.ts'
import type { PagePrinter } from './page-printer.ts'
import type { RunningTurns } from './running-turns.ts'
import type { TurnScope } from './turn-scope.ts'

/** What the analyst needs. */
export interface AnalystNeeds {
  /** US dollars that models cost since a time: all of the user's, or everybody's in a project. */
  spent(query: { readonly since: string; readonly project?: string }): Promise<number>
  /** Turns of the analyst that are under way. */
  readonly turns: RunningTurns
  /** Loaded when first asked for. */
  charts(): Promise<ChartPainter>
  /** Loaded when first asked for. */
  pagePrinter(): Promise<PagePrinter>
  /** The right to refresh a story; undefined while another process has it. */
  storyLease(story: string): Promise<HeldLease | undefined>
  /** What a server of Ken's own must find in its environment to know this state. */
  readonly stateEnvironment: Readonly<Record<string, string>>
  /** The turn of the analyst that this call is made in; none for a caller of its own. */
  readonly turn?: TurnScope
  /** Who hears asks the person before a call is made: the client of an agent has forms. */
  readonly asksPerson?: boolean
  /**
   * Hears what happens in the chat that the call is about, as it happens. Must never throw. Who tells of the past waits
   * for what it gives, so that a slow listener is not sent more than it takes; a turn that is under way does not.
   */
  hear?(event: ChatEvent): unknown
  /** Language model, reranker and embedder as the settings name them. */
  readonly models: Models
  /** The keys of model providers. */
  readonly modelKeys: ModelKeys
}
