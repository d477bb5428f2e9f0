import type { StopSignal } from '../core/sql/query.ts'

export interface WriteRequest {
  readonly system: string
  /** Text of third parties stands in it as delimited data. */
  readonly prompt: string
  readonly maxTokens: number
  readonly signal: StopSignal
}

/**
 * Writes text from text. Only a model that a setting names is ever asked. Every provider passes
 * test/contract/language-model.contract.ts.
 */
export interface LanguageModel {
  /** As the setting names it, e.g. `ollama:qwen3`. */
  readonly id: string
  /**
   * Takes secrets out of the prompt before it is sent. Throws `unavailable` when there is no answer, and when the
   * signal stops it.
   */
  write(request: WriteRequest): Promise<string>
  close(): Promise<void>
}
