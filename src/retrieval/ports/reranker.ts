import type { StopSignal } from '../../kernel/domain/stop.ts'

/**
 * Scores passages against a query. Used only if a setting names it. Every adapter passes
 * test/contract/reranker.contract.ts.
 */
export interface Reranker {
  /** Names kind and model; scores of different ids are never mixed. */
  readonly id: string
  /**
   * One score from 0 to 1 per passage, in order. Removes secrets first. Throws `unavailable` if the answer is
   * incomplete, and if the signal stops it.
   */
  rerank(query: string, passages: readonly string[], signal: StopSignal): Promise<readonly number[]>
  close(): Promise<void>
}
