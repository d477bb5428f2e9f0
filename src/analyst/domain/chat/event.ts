import type { ChatMessage, MessageEnd } from './chat.ts'
import type { ChatPart } from './part.ts'

/**
 * An event for subscribers of a chat. The id of an event is its position: the number of its part in the chat and, for a
 * growing part, the number of its characters already sent. A client that reconnects with its last id misses nothing and
 * receives nothing twice, even after a restart.
 */
export type ChatEvent =
  | { readonly type: 'message'; readonly message: ChatMessage }
  | { readonly type: 'part'; readonly id: string; readonly message: string; readonly part: ChatPart }
  /** More characters of a text or reasoning part that was sent before. */
  | { readonly type: 'more'; readonly id: string; readonly message: string; readonly text: string }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'end'; readonly id: string; readonly message: string; readonly end: MessageEnd }

export interface EventPlace {
  /** 1-based number of a part in its chat; 0 before the first. */
  readonly part: number
  /** Characters of the part that were sent; undefined for all of it. */
  readonly characters: number | undefined
  /** The part was the last of its message, and the end event was sent too. */
  readonly ended?: boolean
}

export const eventId = (part: number, characters?: number): string =>
  characters === undefined ? String(part) : `${part}.${characters}`

/** Id of a message's end, by the last part before it. */
export const endEventId = (part: number): string => `${part}.end`

/** Parses an event id; undefined if it is not one. */
export function readEventId(id: string): EventPlace | undefined {
  const found = /^(\d{1,9})(?:\.(\d{1,9}|end))?$/.exec(id)
  if (found === null) return undefined
  const [, part, more] = found
  if (more === 'end') return { part: Number(part), characters: undefined, ended: true }
  return { part: Number(part), characters: more === undefined ? undefined : Number(more) }
}
