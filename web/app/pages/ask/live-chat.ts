import type { ChatEvent } from '../../../../src/analyst/domain/chat/event.ts'
import { call } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { stream } from '../../api/stream.ts'
import { connection, connectionOf } from '../../frame/connection/connection.ts'
import { EMPTY_LOG, hearAll, openAnswer, takenBack, type ChatLog } from './chat-log.ts'
import { keepQueue, readQueue, type Queued } from './drafts.ts'
import { openFrameBatch } from './frame-batch.ts'

export interface Asked {
  readonly text: string
  /** Data URLs. */
  readonly images: readonly string[]
  readonly model?: string | undefined
  /** Id of the question that this one replaces. */
  readonly instead?: string | undefined
}

export interface ChatState {
  readonly log: ChatLog
  /** `loading`: no events yet; `sending`: question sent, no response yet. */
  readonly phase: 'loading' | 'idle' | 'sending' | 'answering'
  /** The question just sent, until it appears in the chat. */
  readonly sent: Asked | undefined
  readonly queue: readonly Queued[]
  /** Why the chat could not be read, or the question not sent. */
  readonly fault: Fault | undefined
}

export interface LiveChat {
  get(): ChatState
  subscribe(changed: () => void): () => void
  /** Asks, or queues the question while an answer is being written. */
  ask(asked: Asked): void
  stop(): Promise<void>
  setQueue(queue: readonly Queued[]): void
  /** Sends the first queued question, after a stop or a failure paused the queue. */
  goOn(): void
  reload(): void
}

// Milliseconds for which an unused chat is kept; React in development unsubscribes and immediately resubscribes.
const LINGER = 1_000
const open = new Map<string, LiveChat>()

/** The live chat, shared by all components that show it. */
export function liveChat(project: string, chat: string, onChange: () => void): LiveChat {
  const key = `${project}\n${chat}`
  const known = open.get(key)
  if (known !== undefined) return known
  const sent = begun.get(key)
  begun.delete(key)
  const live = openLiveChat(project, chat, { sent, onChange, forget: () => open.delete(key) })
  open.set(key, live)
  return live
}

/** Shows the first question of a chat from the first frame on, until it is in the chat's log. */
export function beginChat(project: string, chat: string, asked: Asked): void {
  begun.set(`${project}\n${chat}`, asked)
}

const begun = new Map<string, Asked>()

interface Around {
  /** The first question of the chat, if this page has just sent it. */
  readonly sent: Asked | undefined
  /** Called when the chat's title or last use changes. */
  readonly onChange: () => void
  readonly forget: () => void
}

function openLiveChat(project: string, chat: string, { sent, onChange, forget }: Around): LiveChat {
  const listeners = new Set<() => void>()
  let state: ChatState = {
    log: EMPTY_LOG,
    phase: 'loading',
    sent,
    queue: readQueue(project, chat),
    fault: undefined,
  }
  let following: AbortController | undefined
  let isLost = false
  let offConnection: (() => void) | undefined
  const set = (change: Partial<ChatState>): void => {
    state = { ...state, ...change }
    for (const changed of listeners) changed()
  }
  const batch = openFrameBatch<ChatEvent>((events) => {
    const log = hearAll(state.log, events)
    const isOpen = openAnswer(log) !== undefined
    const isAsked = state.sent !== undefined && log.messages.length > state.log.messages.length
    set({ log, ...(isOpen && { phase: 'answering' }), ...(isAsked && { sent: undefined }) })
    if (events.some(({ type }) => type === 'title' || type === 'end')) onChange()
  })

  async function follow(): Promise<void> {
    if (following !== undefined) return
    const own = new AbortController()
    following = own
    const after = state.log.last
    try {
      const onLost = (): void => {
        isLost = true
        connection.set('away')
      }
      const listening = { onChat: batch.add, onLost, signal: own.signal }
      await stream(project, 'chat_follow', { chat, ...(after !== undefined && { after }) }, listening)
      batch.flush()
      following = undefined
      set({ phase: 'idle', sent: undefined })
      next()
    } catch (thrown) {
      if (own.signal.aborted) return
      following = undefined
      batch.flush()
      const fault = asFault(thrown)
      const state = connectionOf(fault)
      if (state !== undefined) {
        isLost = true
        connection.set(state)
      }
      set({ phase: 'idle', fault, ...(fault.code === 'not_found' && { log: EMPTY_LOG }) })
    }
  }

  /** Reconnects at once when Ken is back, instead of at the next attempt. */
  function goOnListening(): void {
    if (!isLost || connection.get() !== 'there') return
    isLost = false
    following?.abort()
    following = undefined
    set({ fault: undefined })
    void follow()
  }

  async function send(asked: Asked): Promise<void> {
    set({ phase: 'sending', sent: asked, fault: undefined })
    try {
      await call(project, 'ask', askInput(chat, asked))
      if (asked.instead !== undefined) set({ log: takenBack(state.log, asked.instead) })
      void follow()
    } catch (thrown) {
      // Returns the question to the queue, where it can be seen, edited and sent again.
      const back: Queued = { id: crypto.randomUUID(), text: asked.text, images: asked.images }
      set({ phase: 'idle', sent: undefined, fault: asFault(thrown) })
      setQueue([back, ...state.queue])
    }
  }

  /** Sends the next question after an answer; a stop, a failure or a clarifying question pauses the queue. */
  function next(): void {
    const end = state.log.messages.at(-1)?.end
    if (end?.reason === 'answered' || end?.reason === 'capped') goOn()
  }

  function goOn(): void {
    const [first, ...rest] = state.queue
    if (first === undefined || state.phase !== 'idle') return
    setQueue(rest)
    void send(first)
  }

  function setQueue(queue: readonly Queued[]): void {
    keepQueue(project, chat, queue)
    set({ queue })
  }

  function letGo(): void {
    if (listeners.size > 0) return
    offConnection?.()
    offConnection = undefined
    following?.abort()
    following = undefined
    batch.close()
    // Lets the next subscriber resume at the same position.
    if (state.phase !== 'idle') state = { ...state, phase: 'loading' }
    forget()
  }

  return {
    get: () => state,
    subscribe(changed) {
      // While there was no subscriber, the chat may have changed or been unshared.
      const isBack = listeners.size === 0 && state.phase === 'idle'
      listeners.add(changed)
      offConnection ??= connection.subscribe(goOnListening)
      if (state.phase === 'loading' || isBack) void follow()
      return () => {
        listeners.delete(changed)
        setTimeout(letGo, LINGER)
      }
    },
    ask(asked) {
      if (state.phase === 'idle' && (asked.instead !== undefined || state.queue.length === 0)) void send(asked)
      else setQueue([...state.queue, { id: crypto.randomUUID(), text: asked.text, images: asked.images }])
    },
    async stop() {
      await call(project, 'chat_stop', { chat })
    },
    setQueue,
    goOn,
    reload() {
      set({ fault: undefined })
      void follow()
    },
  }
}

export const askInput = (chat: string | undefined, { text, images, model, instead }: Asked) => ({
  question: text,
  detach: true,
  ...(chat !== undefined && { chat }),
  ...(images.length > 0 && { images: [...images] }),
  ...(model !== undefined && model !== '' && { model }),
  ...(instead !== undefined && { instead }),
})

const asFault = (thrown: unknown): Fault =>
  thrown instanceof Fault ? thrown : new Fault('unavailable', 'Something went wrong.', { status: 0 })
