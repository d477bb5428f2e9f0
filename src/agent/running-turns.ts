import { endEventId, eventId, type ChatEvent } from '../core/chat/event.ts'
import type { Approval, ChatPart } from '../core/chat/part.ts'
import { AppError } from '../core/errors.ts'
import type { StopSignal } from '../core/sql/query.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import type { ChatLog, StoredPart } from '../ports/chat-log.ts'
import type { Lease } from '../ports/lease.ts'
import type { RunningTurns } from '../ports/running-turns.ts'
import { endCut } from './end-cut.ts'

/** The turn as whoever writes it sees it: all that is added is told to those who listen. */
export interface LiveTurn {
  readonly chat: string
  tell(event: ChatEvent): void
  /** Waits for a person's word on a call; `no` when the turn is stopped first. */
  approval(call: string): Promise<Approval>
}

export interface Turns extends RunningTurns {
  /** Begins the one turn that a chat may have; throws `conflict` while another is under way, in whatever process. */
  begin(chat: string, stop: () => void): LiveTurn & { close(): void }
}

/**
 * The right to write in a chat, which one process has at a time and the system takes back from one that dies: who gets
 * it while a message has no end knows that nobody will end it.
 */
export type ChatClaim = (chat: string) => Lease

interface Running {
  readonly stop: () => void
  /** Woken when there is more to hear. */
  readonly listeners: Set<() => void>
  readonly waiting: Map<string, Waiting>
  /** What was told so far, texts as long as they are by now: all that listeners read, however slow they are. */
  readonly told: ChatEvent[]
  isClosed: boolean
}

interface Waiting {
  readonly answer: Promise<Approval>
  readonly settle: (answer: Approval) => void
  isSettled: boolean
}

// How often a turn of another process is looked at.
const LOOK_EVERY = 300

export function openTurns(state: () => Promise<AnalystState>, claim: ChatClaim = () => UNSHARED): Turns {
  const running = new Map<string, Running>()
  return {
    begin(chat, stop) {
      const release = running.has(chat) ? undefined : taken(claim(chat))
      if (release === undefined)
        throw new AppError('conflict', 'This chat is being answered already.', {
          hint: 'Wait until it has ended, or stop it.',
        })
      const turn: Running = { stop, listeners: new Set(), waiting: new Map(), told: [], isClosed: false }
      running.set(chat, turn)
      const close = (): void => {
        if (turn.isClosed) return
        running.delete(chat)
        turn.isClosed = true
        release()
        refuseAll(turn)
        for (const wake of turn.listeners) wake()
      }
      return {
        chat,
        tell(event) {
          // Whoever hears that a call waits may answer at once.
          if (event.type === 'part' && event.part.kind === 'approval') waitFor(turn, event.part.call)
          keepTold(turn.told, event)
          for (const wake of turn.listeners) wake()
        },
        approval: (call) => waitFor(turn, call).answer,
        close,
      }
    },
    stop(chat) {
      const turn = running.get(chat)
      if (turn === undefined) return false
      refuseAll(turn)
      turn.stop()
      return true
    },
    isRunning: (chat) => running.has(chat),
    settle(call, answer) {
      const waiting = [...running.values()]
        .map((turn) => turn.waiting.get(call))
        .find((one) => one?.isSettled === false)
      if (waiting === undefined) return false
      // It stays: the turn may come for the answer after it was given.
      waiting.isSettled = true
      waiting.settle(answer)
      return true
    },
    async *follow(chat, after, signal) {
      const place: Place = {
        part: after?.part ?? 0,
        characters: after?.characters,
        messages: new Set(),
        ends: new Set(),
      }
      const turn = running.get(chat)
      const own = await state()
      for await (const event of stored(own.log, chat, place, after?.ended === true)) {
        if (signal.aborted) return
        yield event
      }
      if (turn !== undefined) return yield* live(turn, place, signal)
      const isLeft = async (): Promise<boolean> => {
        if (running.has(chat)) return false
        const release = taken(claim(chat))
        if (release === undefined) return false
        await endCut(own, chat).finally(release)
        return true
      }
      yield* elsewhere(own.log, chat, { place, signal, isLeft })
    },
  }
}

/** Where there is no other process. */
const UNSHARED: Lease = { tryTake: () => () => {}, close: () => {} }

function taken(lease: Lease): (() => void) | undefined {
  const giveBack = lease.tryTake()
  if (giveBack === undefined) {
    lease.close()
    return undefined
  }
  return () => {
    giveBack()
    lease.close()
  }
}

function waitFor(turn: Running, call: string): Waiting {
  const known = turn.waiting.get(call)
  if (known !== undefined) return known
  const { promise, resolve } = Promise.withResolvers<Approval>()
  const waiting: Waiting = { answer: promise, settle: resolve, isSettled: false }
  turn.waiting.set(call, waiting)
  return waiting
}

function refuseAll(turn: Running): void {
  for (const waiting of turn.waiting.values()) {
    waiting.isSettled = true
    waiting.settle('no')
  }
}

/** Texts are joined, so that whoever comes late hears each once. */
function keepTold(told: ChatEvent[], event: ChatEvent): void {
  const index = event.type === 'more' ? told.findLastIndex((one) => isOfPart(one, event.id)) : -1
  const before = told[index]
  if (event.type !== 'more' || before?.type !== 'part' || !('text' in before.part)) told.push(event)
  else
    told[index] = { ...before, id: event.id, part: { ...before.part, text: before.part.text + event.text } as ChatPart }
}

const isOfPart = (event: ChatEvent, id: string): boolean =>
  event.type === 'part' && event.id.split('.')[0] === id.split('.')[0]

/** How far a listener has heard. */
interface Place {
  part: number
  characters: number | undefined
  /** Messages whose beginning was told, and those whose end was. */
  readonly messages: Set<string>
  readonly ends: Set<string>
}

/** Reads from what the turn itself keeps: a listener that is slow costs no memory, and then hears more at once. */
async function* live(turn: Running, place: Place, signal: StopSignal): AsyncGenerator<ChatEvent> {
  let more = Promise.withResolvers<void>()
  const wake = (): void => more.resolve()
  turn.listeners.add(wake)
  signal.addEventListener('abort', wake)
  try {
    let read = 0
    // The last part that was read may have grown since.
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

/** What of an event was not heard yet; moves the place on. */
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

async function* stored(log: ChatLog, chat: string, place: Place, hasHeardEnd: boolean): AsyncGenerator<ChatEvent> {
  const messages = await log.messages(chat)
  // The part that was heard last may have grown since.
  const [from, parts] = [place.part, await log.parts(chat, Math.max(0, place.part - 1))]
  const byMessage = Map.groupBy(parts, ({ message }) => message)
  // What lies before the place was told; a message without parts stands where its neighbours do.
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

/** Without what only the provider understands. */
export function asEvent({ number, message, part }: StoredPart): ChatEvent {
  const isGrowing = part.kind === 'text' || part.kind === 'reasoning'
  const { carry: _carry, ...shown } = part as ChatPart & { readonly carry?: unknown }
  const id = isGrowing ? eventId(number, part.text.length) : eventId(number)
  return { type: 'part', id, message, part: shown as ChatPart }
}

/** A turn that another process runs is known by a last message without an end; one that died is ended here. */
async function* elsewhere(
  log: ChatLog,
  chat: string,
  { place, signal, isLeft }: { place: Place; signal: StopSignal; isLeft: () => Promise<boolean> },
): AsyncGenerator<ChatEvent> {
  while (!signal.aborted) {
    const last = (await log.messages(chat)).at(-1)
    if (last === undefined || last.end !== undefined || last.role === 'user') return
    if (!(await isLeft())) await new Promise((passed) => setTimeout(passed, LOOK_EVERY))
    for await (const event of stored(log, chat, place, false)) {
      yield event
      if (event.type === 'end' && event.message === last.id) return
    }
  }
}
