import type { Usage } from '../../kernel/domain/model-usage.ts'
import { asObject, asObjects, asText, parseObject, type JsonObject } from '../../kernel/system/json-value.ts'
import type { ClientEvent } from '../ports/agent-client.ts'

/** What one line of a client means. */
export type Told =
  | Exclude<ClientEvent, { type: 'end' }>
  /** Its model is asked once more; without it, steps are known by what comes after results. */
  | { readonly type: 'step' }
  /** A text that is whole, where another one just ended. */
  | { readonly type: 'paragraph'; readonly text: string }
  /** Its own word for what went wrong, and that it ends there. */
  | { readonly type: 'failure'; readonly message: string }
  /** The same of what it may get over. */
  | { readonly type: 'complaint'; readonly message: string }
  /** It did what it was not to do. */
  | { readonly type: 'overstep'; readonly what: string }

/** Reads the lines of one run, in order. */
export interface EventReader {
  read(event: JsonObject): readonly Told[]
  /** How it ended; undefined while it has not, by its own account. */
  ended(): Omit<Extract<ClientEvent, { type: 'end' }>, 'type'> | undefined
  /** What is known to be used up by now, for a run that is cut off. */
  usage(): Usage
}

/** The text of an answer as MCP has it, or of a plain one. */
export function textOf(content: unknown): string {
  const plain = asText(content)
  if (plain !== undefined) return plain
  return asObjects(content)
    .flatMap((part) => asText(part['text']) ?? [])
    .join('\n')
}

export const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0

/** The words of an error, which may be JSON of the provider's inside of a text. */
export function messageOf(error: unknown, depth = 0): string {
  if (depth > 5) return ''
  const text = asText(error)
  const object = text === undefined ? asObject(error) : text.startsWith('{') ? parseObject(text) : undefined
  const inner = object?.['message'] ?? object?.['error'] ?? asObject(object?.['data'])?.['message']
  return (inner === undefined ? '' : messageOf(inner, depth + 1)) || (text ?? '')
}
