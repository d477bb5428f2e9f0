import type { StopSignal } from '../kernel/domain/stop.ts'
import { endEventId, eventId, type ChatEvent, type EventPlace } from './domain/chat/event.ts'
import type { ChatPart } from './domain/chat/part.ts'
import type { ReadLog } from './log-for-readers.ts'
import type { StoredPart } from './ports/chat-log.ts'
import type { ChatNews } from './ports/chat-news.ts'

/** This process's turn, as seen by subscribers. */
export interface HeardTurn {
  /** Called when there are new events. */
  readonly listeners: Set<() => void>
  /** Events so far, texts at their current length: subscribers read from here, however slow they are. */
  readonly told: ChatEvent[]
  readonly isClosed: boolean
}

export interface FollowedChat {
  readonly chat: string
  readonly log: ReadLog
  readonly after: EventPlace | undefined
  readonly signal: StopSignal
  /** The turn that this process runs in the chat, if any. */
  readonly turn: HeardTurn | undefined
  readonly news: ChatNews | undefined
  /** Ends an abandoned turn and returns true; returns false while the turn has a writer. */
  isLeft(): Promise<boolean>
}

/** Yields the events of a chat after a position, and then new ones until its turn ends. */
export async function* followTurn(followed: FollowedChat): AsyncGenerator<ChatEvent> {
  const { chat, log, after, signal, turn } = followed
  const place: Place = {
    part: after?.part ?? 0,
    characters: after?.characters,
    messages: new Set(),
    ends: new Set(),
  }
  for await (const event of stored(log, chat, place, after?.ended === true)) {
    if (signal.aborted) return
    yield event
  }
  if (turn === undefined) yield* elsewhere(followed, place)
  else yield* live(turn, place, signal)
}

/** Position of a subscriber. */
interface Place {
  part: number
  characters: number | undefined
  /** Messages already announced; `ends` contains the messages whose end was sent. */
  readonly messages: Set<string>
  readonly ends: Set<string>
}

/** Yields from the turn's own list: a slow subscriber costs no memory and gets more at once later. */
async function* live(turn: HeardTurn, place: Place, signal: StopSignal): AsyncGenerator<ChatEvent> {
  let more = Promise.withResolvers<void>()
  const wake = (): void => more.resolve()
  turn.listeners.add(wake)
  signal.addEventListener('abort', wake)
  try {
    let read = 0
    // The part read last may have grown since.
    let growing = 0
    while (!signal.aborted) {
      for (let at = growing; at < turn.told.length && !signal.aborted; at++) {
        const event = turn.told[at]!
        if (event.type === 'part') growing = at
        else if (at < read) continue
        read = Math.max(read, at + 1)
        const news = newsOf(event, place)
        if (news !== undefined) yield news
      }
      const last = turn.told[growing]
      const isRead = read === turn.told.length && (last?.type !== 'part' || newsOf(last, { ...place }) === undefined)
      if (!isRead) continue
      if (turn.isClosed) return
      await more.promise
      more = Promise.withResolvers<void>()
    }
  } finally {
    turn.listeners.delete(wake)
    signal.removeEventListener('abort', wake)
  }
}

/** Returns the unsent part of an event and advances the place. */
function newsOf(event: ChatEvent, place: Place): ChatEvent | undefined {
  if (event.type === 'title') return event
  if (event.type === 'message') return isNew(place.messages, event.message.id) ? event : undefined
  if (event.type === 'end') return isNew(place.ends, event.message) ? event : undefined
  const [part, characters] = event.id.split('.').map(Number) as [number, number | undefined]
  if (part < place.part) return undefined
  const told = part > place.part ? 0 : (place.characters ?? Number.POSITIVE_INFINITY)
  if (characters === undefined) {
    if (part === place.part) return undefined
    Object.assign(place, { part, characters: undefined })
    return event
  }
  if (characters <= told && part === place.part) return undefined
  Object.assign(place, { part, characters })
  const text = event.type === 'more' ? event.text : 'text' in event.part ? event.part.text : ''
  const fresh = text.slice(Math.max(0, told - (characters - text.length)))
  if (told > 0) return { type: 'more', id: event.id, message: event.message, text: fresh }
  return event
}

function isNew(told: Set<string>, id: string): boolean {
  if (told.has(id)) return false
  told.add(id)
  return true
}

async function* stored(log: ReadLog, chat: string, place: Place, hasHeardEnd: boolean): AsyncGenerator<ChatEvent> {
  const messages = await log.messages(chat)
  // The last part sent may have grown since.
  const [from, parts] = [place.part, await log.parts(chat, Math.max(0, place.part - 1))]
  const byMessage = Map.groupBy(parts, ({ message }) => message)
  // Everything before this position was sent; a message without parts is treated like its neighbours.
  let isTold = from > 0
  let last = from
  for (const message of messages) {
    const own = byMessage.get(message.id) ?? []
    const [first, end] = [own[0]?.number, own.at(-1)?.number]
    if (isTold && (first === undefined || first <= from)) place.messages.add(message.id)
    if ((isTold && first === undefined) || (hasHeardEnd && end === from)) place.ends.add(message.id)
    if (first !== undefined) isTold = false
    last = end ?? last
    const events: ChatEvent[] = [{ type: 'message', message }, ...own.map(asEvent)]
    if (message.end !== undefined)
      events.push({ type: 'end', id: endEventId(last), message: message.id, end: message.end })
    for (const event of events) {
      const news = newsOf(event, place)
      if (news !== undefined) yield news
    }
  }
}

/** Converts a stored part to an event, without data that only the provider uses. */
export function asEvent({ number, message, part }: StoredPart): ChatEvent {
  const isGrowing = part.kind === 'text' || part.kind === 'reasoning'
  const { carry: _carry, ...shown } = part as ChatPart & { readonly carry?: unknown }
  const id = isGrowing ? eventId(number, part.text.length) : eventId(number)
  return { type: 'part', id, message, part: shown as ChatPart }
}

// Milliseconds between polls of a turn in another process: without notifications, and as a fallback beside them.
const [LOOK_EVERY, NET_EVERY] = [300, 2_000]

/**
 * Follows a turn of another process, recognised by a last message without an end; ends the turn if its process died.
 */
async function* elsewhere({ chat, log, signal, news, isLeft }: FollowedChat, place: Place): AsyncGenerator<ChatEvent> {
  const bell = openBell()
  const stopHearing = news?.onNews(chat, bell.ring)
  signal.addEventListener('abort', bell.ring)
  try {
    while (!signal.aborted) {
      const rung = bell.next()
      const last = (await log.messages(chat)).at(-1)
      const isOver = last === undefined || last.end !== undefined || last.role === 'user'
      for await (const event of stored(log, chat, place, false)) {
        yield event
        if (event.type === 'end' && event.message === last?.id) return
      }
      if (isOver) return
      const isQuiet = !(await rung(news === undefined ? LOOK_EVERY : NET_EVERY))
      if (isQuiet) await isLeft()
    }
  } finally {
    stopHearing?.()
    signal.removeEventListener('abort', bell.ring)
  }
}

/** Call `next` before checking; the returned function waits and resolves to whether the bell rang in time. */
function openBell(): { ring(): void; next(): (milliseconds: number) => Promise<boolean> } {
  let rung = Promise.withResolvers<void>()
  return {
    ring() {
      rung.resolve()
      rung = Promise.withResolvers()
    },
    next() {
      const { promise } = rung
      return async (milliseconds) => {
        const late = Promise.withResolvers<boolean>()
        const timer = setTimeout(() => late.resolve(false), milliseconds)
        return Promise.race([promise.then(() => true), late.promise]).finally(() => clearTimeout(timer))
      }
    },
  }
}
