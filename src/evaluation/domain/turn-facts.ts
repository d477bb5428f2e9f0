import type { EndReason } from '../../analyst/domain/chat/chat.ts'
import type { Citation } from '../../analyst/domain/chat/part.ts'
import type { Table } from './comparison.ts'

/** Testable facts about a turn of the analyst. */
export interface TurnFacts {
  /** The answer itself, without intermediate text. */
  readonly text: string
  readonly end: EndReason | undefined
  /** Question that the analyst asked back. */
  readonly question: string | undefined
  readonly failure: { readonly code: string; readonly message: string } | undefined
  /** In call order. */
  readonly calls: readonly { readonly tool: string; readonly input: unknown; readonly failed: boolean }[]
  /** Executed statements, in order, with their results. */
  readonly queries: readonly TurnQuery[]
  readonly citations: readonly Citation[]
  /** Ids of the queries in the turn's charts. */
  readonly charted: readonly string[]
}

export interface TurnQuery {
  readonly id: string
  readonly sql: string
  readonly result: Table
  /** Whether there were more rows than are kept. */
  readonly cut: boolean
  /** Tables that the statement reads, as schema.table if it qualifies them. */
  readonly tables: readonly string[]
}
