import type { StopSignal } from '../../kernel/domain/stop.ts'

/**
 * Judges passages against a query. Only one that a setting names is ever asked. Every adapter passes
 * test/contract/reranker.contract.ts.
 */
export interface Reranker {
  /** Names kind and model; scores of different ids are never mixed. */
  readonly id: string
  /**
   * One score from 0 to 1 per passage, in order. Takes secrets out first. Throws `unavailable` when there is no whole
   * answer, and when the signal stops it.
   */
  rerank(query: string, passages: readonly string[], signal: StopSignal): Promise<readonly number[]>
  close(): Promise<void>
}
