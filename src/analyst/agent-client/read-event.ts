import type { Usage } from '../../kernel/domain/model-usage.ts'
import { asObject, asObjects, asText, parseObject, type JsonObject } from '../../kernel/system/json-value.ts'
import type { ClientEvent } from '../ports/agent-client.ts'

/** The meaning of one line of client output. */
export type Told =
  | Exclude<ClientEvent, { type: 'end' }>
  /** Another model request; without this event, a step is inferred when output follows results. */
  | { readonly type: 'step' }
  /** A complete text, directly after another one. */
  | { readonly type: 'paragraph'; readonly text: string }
  /** The client's own error message; the run ends there. */
  | { readonly type: 'failure'; readonly message: string }
  /** An error from which the client may recover. */
  | { readonly type: 'complaint'; readonly message: string }
  /** The client did something it is not allowed to do. */
  | { readonly type: 'overstep'; readonly what: string }

/** Reads the lines of one run, in order. */
export interface EventReader {
  read(event: JsonObject): readonly Told[]
  /** Returns how the run ended; undefined until the client reports its end. */
  ended(): Omit<Extract<ClientEvent, { type: 'end' }>, 'type'> | undefined
  /** Usage known so far, for an interrupted run. */
  usage(): Usage
}

/** The text of an MCP answer, or of a plain one. */
export function textOf(content: unknown): string {
  const plain = asText(content)
  if (plain !== undefined) return plain
  return asObjects(content)
    .flatMap((part) => asText(part['text']) ?? [])
    .join('\n')
}

export const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0

/** The message of an error, which may be provider JSON inside a text. */
export function messageOf(error: unknown, depth = 0): string {
  if (depth > 5) return ''
  const text = asText(error)
  const object = text === undefined ? asObject(error) : text.startsWith('{') ? parseObject(text) : undefined
  const inner = object?.['message'] ?? object?.['error'] ?? asObject(object?.['data'])?.['message']
  return (inner === undefined ? '' : messageOf(inner, depth + 1)) || (text ?? '')
}
