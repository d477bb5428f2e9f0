import type { Usage } from '../domain/model-usage.ts'
import type { StopSignal } from '../domain/stop.ts'

export interface WriteRequest {
  readonly system: string
  /** Third-party text is included as delimited data. */
  readonly prompt: string
  readonly maxTokens: number
  readonly signal: StopSignal
}

/** One step of a conversation: the model writes text, calls tools, or both. */
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
  /** JSON Schema of the tool's input. */
  readonly schema: Readonly<Record<string, unknown>>
}

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Data to return to the provider with the reasoning that just ended. */
  | { readonly type: 'reasoned'; readonly carry: unknown }
  /** `input` is the raw text if it is not JSON. */
  | ModelToolCall
  | { readonly type: 'end'; readonly reason: 'stop' | 'calls' | 'length' | 'refused'; readonly usage: Usage }

/**
 * Writes text, and converses with tools. Only a model named by a setting or a person is ever used. Every provider
 * passes test/contract/language-model.contract.ts.
 */
export interface LanguageModel {
  /** Name as in the setting, e.g. `ollama:qwen3`. */
  readonly id: string
  /** Context window in tokens, input plus output. */
  readonly window: number
  /**
   * Redacts secrets from the prompt before it is sent. Throws `unavailable` if there is no answer, or if the signal
   * stops it.
   */
  write(request: WriteRequest): Promise<string>
  /**
   * Streams the model's output; the last event is `end`. Redacts secrets from all texts before they are sent. Throws
   * `unavailable` if there is no answer or it breaks off, with `details.retry` true if a retry may help; throws
   * `stopped` when the signal stops it. Nothing is retried.
   */
  converse(request: ConverseRequest): AsyncIterable<ModelEvent>
  close(): Promise<void>
}
