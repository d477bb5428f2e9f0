import type { ChatMessage, MessageEnd } from './chat.ts'
import type { ChatPart } from './part.ts'

/**
 * What a listener hears of a chat. The id of an event is where it stands: the number of its part in the chat and, for
 * one that grows, how many characters of it have been told. Whoever comes back with the last id it heard misses nothing
 * and hears nothing twice, also after a restart.
 */
export type ChatEvent =
  | { readonly type: 'message'; readonly message: ChatMessage }
  | { readonly type: 'part'; readonly id: string; readonly message: string; readonly part: ChatPart }
  /** More of the text or reasoning whose part was told before. */
  | { readonly type: 'more'; readonly id: string; readonly message: string; readonly text: string }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'end'; readonly id: string; readonly message: string; readonly end: MessageEnd }

export interface EventPlace {
  /** The number of a part in its chat, from 1; 0 before the first. */
  readonly part: number
  /** Characters of it that were told; undefined: all that there is. */
  readonly characters: number | undefined
  /** It was the last of its message, and the end of that was told too. */
  readonly ended?: boolean
}

export const eventId = (part: number, characters?: number): string =>
  characters === undefined ? String(part) : `${part}.${characters}`

/** Of the end of a message, by the last part before it. */
export const endEventId = (part: number): string => `${part}.end`

/** Undefined for what is no id of an event. */
export function readEventId(id: string): EventPlace | undefined {
  const found = /^(\d{1,9})(?:\.(\d{1,9}|end))?$/.exec(id)
  if (found === null) return undefined
  const [, part, more] = found
  if (more === 'end') return { part: Number(part), characters: undefined, ended: true }
  return { part: Number(part), characters: more === undefined ? undefined : Number(more) }
}
