import type { Usage } from '../domain/model-usage.ts'
import type { StopSignal } from '../domain/stop.ts'

export interface WriteRequest {
  readonly system: string
  /** Text of third parties stands in it as delimited data. */
  readonly prompt: string
  readonly maxTokens: number
  readonly signal: StopSignal
}

/** One step of a conversation: the model says something, calls tools, or both. */
export interface ConverseRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly maxTokens: number
  readonly signal: StopSignal
}

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly (ModelText | ModelImage)[] }
  | { readonly role: 'assistant'; readonly content: readonly (ModelText | ModelReasoning | ModelToolCall)[] }
  | { readonly role: 'tool'; readonly content: readonly ModelToolResult[] }

export interface ModelText {
  readonly type: 'text'
  readonly text: string
}

export interface ModelImage {
  readonly type: 'image'
  readonly mediaType: string
  readonly base64: string
}

export interface ModelReasoning {
  readonly type: 'reasoning'
  readonly text: string
  readonly carry?: unknown
}

export interface ModelToolCall {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly carry?: unknown
}

export interface ModelToolResult {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly failed: boolean
}

export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly schema: Readonly<Record<string, unknown>>
}

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** What the provider wants back with the reasoning that just ended. */
  | { readonly type: 'reasoned'; readonly carry: unknown }
  /** `input` is the raw text where it is no JSON. */
  | ModelToolCall
  | { readonly type: 'end'; readonly reason: 'stop' | 'calls' | 'length' | 'refused'; readonly usage: Usage }

/**
 * Writes text, and converses with tools. Only a model that a setting or a person names is ever asked. Every provider
 * passes test/contract/language-model.contract.ts.
 */
export interface LanguageModel {
  /** As the setting names it, e.g. `ollama:qwen3`. */
  readonly id: string
  /** Tokens that it can take in and give out together. */
  readonly window: number
  /**
   * Takes secrets out of the prompt before it is sent. Throws `unavailable` when there is no answer, and when the
   * signal stops it.
   */
  write(request: WriteRequest): Promise<string>
  /**
   * What the model says as it says it; the last event is `end`. Takes secrets out of all texts before they are sent.
   * Throws `unavailable` when there is no answer, also in the middle of one, with `details.retry` true where trying
   * again may help; throws `stopped` when the signal stops it. Nothing is tried twice.
   */
  converse(request: ConverseRequest): AsyncIterable<ModelEvent>
  close(): Promise<void>
}
