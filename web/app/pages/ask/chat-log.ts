import type { ChatMessage, MessageEnd } from '../../../../src/analyst/domain/chat/chat.ts'
import type { ChatEvent } from '../../../../src/analyst/domain/chat/event.ts'
import type { ChatPart } from '../../../../src/analyst/domain/chat/part.ts'

/** A chat as received so far. Unchanged parts keep their identity, so that they are not rendered again. */
export interface ChatLog {
  readonly messages: readonly HeardMessage[]
  readonly title: string | undefined
  /** Id of the last event, to resume from. */
  readonly last: string | undefined
}

export interface HeardMessage {
  readonly id: string
  readonly role: ChatMessage['role']
  readonly at: string
  readonly model: string | undefined
  readonly parts: readonly ChatPart[]
  /** Undefined while the message is being written. */
  readonly end: MessageEnd | undefined
}

export const EMPTY_LOG: ChatLog = { messages: [], title: undefined, last: undefined }

/** Applies events to a chat. Each message is copied once per batch. */
export function hearAll(log: ChatLog, events: readonly ChatEvent[]): ChatLog {
  if (events.length === 0) return log
  const messages = new Map(log.messages.map((message) => [message.id, message]))
  const open = new Map<string, ChatPart[]>()
  let { title, last } = log
  const partsOf = (id: string): ChatPart[] => {
    const known = open.get(id) ?? [...(messages.get(id)?.parts ?? [])]
    open.set(id, known)
    return known
  }
  for (const event of events) {
    if ('id' in event) last = event.id
    if (event.type === 'title') title = event.title
    else if (event.type === 'message') messages.set(event.message.id, begun(event.message, messages))
    else if (event.type === 'end') {
      const message = messages.get(event.message)
      if (message) messages.set(event.message, { ...message, end: event.end })
    } else if (event.type === 'part') partsOf(event.message).push(event.part)
    else grow(partsOf(event.message), event.text)
  }
  for (const [id, parts] of open) {
    const message = messages.get(id)
    if (message) messages.set(id, { ...message, parts })
  }
  return { messages: [...messages.values()], title, last }
}

/** Removes a message and everything after it, because it is sent again. */
export function takenBack(log: ChatLog, message: string): ChatLog {
  const at = log.messages.findIndex(({ id }) => id === message)
  return at < 0 ? log : { ...log, messages: log.messages.slice(0, at) }
}

/** The answer that is being written. */
export const openAnswer = ({ messages }: ChatLog): HeardMessage | undefined => {
  const last = messages.at(-1)
  return last?.role === 'assistant' && last.end === undefined ? last : undefined
}

function begun({ id, role, at, model, end }: ChatMessage, known: ReadonlyMap<string, HeardMessage>): HeardMessage {
  return { id, role, at, model, parts: known.get(id)?.parts ?? [], end: end ?? known.get(id)?.end }
}

/** Appends to the last text or reasoning part by replacing it, because the old object is referenced elsewhere. */
function grow(parts: ChatPart[], text: string): void {
  const at = parts.findLastIndex(({ kind }) => kind === 'text' || kind === 'reasoning')
  const part = parts[at]
  if (part?.kind === 'text' || part?.kind === 'reasoning') parts[at] = { ...part, text: part.text + text }
}
