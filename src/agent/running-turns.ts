import type { ChatMessage, MessageEnd } from '../core/chat/chat.ts'
import { eventId, type ChatEvent, type EventPlace } from '../core/chat/event.ts'
import type { Approval, ChatPart } from '../core/chat/part.ts'
import { AppError } from '../core/errors.ts'
import type { StopSignal } from '../core/sql/query.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { StoredPart } from '../ports/chat-log.ts'
import type { RunningTurns } from '../ports/running-turns.ts'

/** The turn as whoever writes it sees it: all that is added is told to those who listen. */
export interface LiveTurn {
  readonly chat: string
  tell(event: ChatEvent): void
  /** Waits for a person's word on a call; `no` when the turn is stopped first. */
  approval(call: string): Promise<Approval>
}

export interface Turns extends RunningTurns {
  /** Begins the one turn that a chat may have; throws `conflict` while another is under way. */
  begin(chat: string, stop: () => void): LiveTurn & { close(): void }
}

interface Running {
  readonly stop: () => void
  readonly listeners: Set<(event: ChatEvent | undefined) => void>
  readonly waiting: Map<string, (answer: Approval) => void>
  /** What was told so far, texts as long as they are by now. */
  readonly told: ChatEvent[]
}

// How often a turn of another process is looked at, and how long it may be silent before it counts as gone.
const LOOK_EVERY = 300
const SILENCE = 120_000

export function openTurns(state: () => Promise<AnalystState>): Turns {
  const running = new Map<string, Running>()
  return {
    begin(chat, stop) {
      if (running.has(chat))
        throw new AppError('conflict', 'This chat is being answered already.', {
          hint: 'Wait until it has ended, or stop it.',
        })
      const turn: Running = { stop, listeners: new Set(), waiting: new Map(), told: [] }
      running.set(chat, turn)
      return {
        chat,
        tell(event) {
          keepTold(turn.told, event)
          for (const listener of turn.listeners) listener(event)
        },
        approval: (call) => new Promise((settle) => turn.waiting.set(call, settle)),
        close() {
          running.delete(chat)
          for (const settle of turn.waiting.values()) settle('no')
          for (const listener of turn.listeners) listener(undefined)
        },
      }
    },
    stop(chat) {
      const turn = running.get(chat)
      for (const settle of turn?.waiting.values() ?? []) settle('no')
      turn?.stop()
      return turn !== undefined
    },
    isRunning: (chat) => running.has(chat),
    settle(call, answer) {
      const turn = [...running.values()].find(({ waiting }) => waiting.has(call))
      turn?.waiting.get(call)?.(answer)
      turn?.waiting.delete(call)
      return turn !== undefined
    },
    async *follow(chat, after, signal) {
      const place = { part: after?.part ?? 0, characters: after?.characters }
      const turn = running.get(chat)
      // Listened to before anything is read, so that nothing falls between what is stored and what is live.
      const live = turn === undefined ? undefined : listen(turn, signal)
      for await (const event of stored(await state(), chat, place)) yield event
      if (live !== undefined) yield* live.from(place)
      else yield* elsewhere(await state(), chat, place, signal)
    },
  }
}

/** Texts are joined, so that whoever comes late hears each once. */
function keepTold(told: ChatEvent[], event: ChatEvent): void {
  const index = event.type === 'more' ? told.findLastIndex(({ type }) => type === 'part') : -1
  const before = told[index]
  if (event.type !== 'more' || before?.type !== 'part' || !('text' in before.part)) told.push(event)
  else
    told[index] = { ...before, id: event.id, part: { ...before.part, text: before.part.text + event.text } as ChatPart }
}

function listen(turn: Running, signal: StopSignal) {
  const queue: (ChatEvent | undefined)[] = [...turn.told]
  let wake = (): void => {}
  const listener = (event: ChatEvent | undefined): void => {
    queue.push(event)
    wake()
  }
  const leave = (): void => listener(undefined)
  turn.listeners.add(listener)
  signal.addEventListener('abort', leave)
  return {
    async *from(place: MutablePlace): AsyncGenerator<ChatEvent> {
      try {
        while (!signal.aborted) {
          if (queue.length === 0) await new Promise<void>((heard) => (wake = heard))
          const event = queue.shift()
          if (event === undefined) return
          const news = newsOf(event, place)
          if (news !== undefined) yield news
        }
      } finally {
        turn.listeners.delete(listener)
        signal.removeEventListener('abort', leave)
      }
    },
  }
}

type MutablePlace = { -readonly [key in keyof EventPlace]: EventPlace[key] }

/** What of an event was not heard yet; moves the place on. */
function newsOf(event: ChatEvent, place: MutablePlace): ChatEvent | undefined {
  if (event.type === 'message' || event.type === 'title' || event.type === 'end') return event
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

async function* stored(state: AnalystState, chat: string, place: MutablePlace): AsyncGenerator<ChatEvent> {
  const messages = await state.log.messages(chat)
  // The part that was heard last may have grown since.
  const parts = await state.log.parts(chat, Math.max(0, place.part - 1))
  for (const message of messages) {
    const own = parts.filter((part) => part.message === message.id)
    if (own.length === 0 && message.end !== undefined) continue
    const isKnown = own.length > 0 && own[0]!.number <= place.part
    if (!isKnown) yield { type: 'message', message }
    for (const part of own) {
      const news = newsOf(asEvent(part), place)
      if (news !== undefined) yield news
    }
    const last = own.at(-1)
    if (message.end !== undefined && last !== undefined) yield endOf(message, last.number, message.end)
  }
}

export function asEvent({ number, message, part }: StoredPart): ChatEvent {
  const isGrowing = part.kind === 'text' || part.kind === 'reasoning'
  return { type: 'part', id: isGrowing ? eventId(number, part.text.length) : eventId(number), message, part }
}

const endOf = (message: ChatMessage, number: number, end: MessageEnd): ChatEvent => ({
  type: 'end',
  id: eventId(number),
  message: message.id,
  end,
})

/** A turn that another process runs is known by a last message without an end. */
async function* elsewhere(
  state: AnalystState,
  chat: string,
  place: MutablePlace,
  signal: StopSignal,
): AsyncGenerator<ChatEvent> {
  for (let silent = 0; silent < SILENCE && !signal.aborted; silent += LOOK_EVERY) {
    const last = (await state.log.messages(chat)).at(-1)
    if (last === undefined || last.end !== undefined || last.role === 'user') return
    await new Promise((passed) => setTimeout(passed, LOOK_EVERY))
    for await (const event of stored(state, chat, place)) {
      if (event.type === 'message') continue
      silent = 0
      yield event
      if (event.type === 'end' && event.message === last.id) return
    }
  }
}
