import type { EndReason } from '../../analyst/domain/chat/chat.ts'
import type { Citation } from '../../analyst/domain/chat/part.ts'
import type { Table } from './comparison.ts'

/** What happened in a turn of the analyst, as far as a test can ask about it. */
export interface TurnFacts {
  /** The answer itself, without what was said on the way to it. */
  readonly text: string
  readonly end: EndReason | undefined
  /** What the analyst asked back. */
  readonly question: string | undefined
  readonly failure: { readonly code: string; readonly message: string } | undefined
  /** In the order they were made. */
  readonly calls: readonly { readonly tool: string; readonly input: unknown; readonly failed: boolean }[]
  /** Statements that ran, in order, with what they gave. */
  readonly queries: readonly TurnQuery[]
  readonly citations: readonly Citation[]
  /** Ids of the queries that its charts draw. */
  readonly charted: readonly string[]
}

export interface TurnQuery {
  readonly id: string
  readonly sql: string
  readonly result: Table
  /** More rows than are kept. */
  readonly cut: boolean
  /** Tables that it read, as schema.table where the statement says so. */
  readonly tables: readonly string[]
}
