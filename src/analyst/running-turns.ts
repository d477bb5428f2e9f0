import { AppError } from '../kernel/domain/errors.ts'
import type { HeldLease, SharedLeases } from '../kernel/ports/shared-lease.ts'
import { closeInterrupted } from './close-interrupted.ts'
import type { ChatEvent } from './domain/chat/event.ts'
import type { Approval, ChatPart } from './domain/chat/part.ts'
import { followTurn, type HeardTurn } from './follow-turn.ts'
import type { AnalystState } from './ports/analyst-state.ts'
import type { ChatNews } from './ports/chat-news.ts'
import type { RunningTurns } from './ports/running-turns.ts'
import type { TurnOrder, TurnPost } from './ports/turn-post.ts'

/** The turn for its writer: everything added is sent to subscribers. */
export interface LiveTurn {
  readonly chat: string
  tell(event: ChatEvent): void
  /** Waits for a person's decision on a call; `no` if the turn is stopped first. */
  approval(call: string): Promise<Approval>
}

export interface BegunTurn extends LiveTurn {
  close(): Promise<void>
}

export interface Turns extends RunningTurns {
  /**
   * Begins the one turn that a chat may have; throws `conflict` while another is running in any process. `stop` is
   * called when a person stops it, and when the lease on the chat is lost.
   */
  begin(chat: string, stop: () => void): Promise<BegunTurn>
}

/** The turns of one process, for all users of its chats. */
export interface ProcessTurns {
  /** Returns the turns for a user with this state. */
  of(state: () => Promise<AnalystState>): Turns
  /** Stops running turns and waits until each is stored. */
  close(): Promise<void>
}

export interface TurnParts {
  /** Leases for writing to a chat: if one can be acquired while a message has no end, the message's writer is gone. */
  readonly leases: SharedLeases
  /** Reports changes in chats by other processes; without it they are polled. */
  readonly news?: ChatNews
  /** Reaches turns of other processes; without it they cannot be stopped from here. */
  readonly post?: TurnPost
}

interface Running extends HeardTurn {
  readonly stop: () => void
  readonly waiting: Map<string, Waiting>
  readonly closed: PromiseWithResolvers<void>
  isClosed: boolean
}

interface Waiting {
  readonly answer: Promise<Approval>
  readonly settle: (answer: Approval) => void
  /** Stored, because an answer may arrive before the call starts to wait. */
  isSettled: boolean
}

/** Name of the lease on a chat. */
const turnLease = (chat: string): string => `turn ${chat}`

export function openTurns({ leases, news, post }: TurnParts = { leases: UNSHARED }): ProcessTurns {
  const running = new Map<string, Running>()
  const carryOut = async (order: TurnOrder): Promise<boolean> => {
    const turn = running.get(order.chat)
    if (turn === undefined) return false
    return order.do === 'stop' ? stopped(turn) : settled(turn, order.call, order.answer)
  }
  post?.obey(carryOut)
  /**
   * Carries out an order in this process, or sends it to the process that writes the chat; skipped if there is none.
   */
  const order = async (given: TurnOrder): Promise<boolean> => {
    if (running.has(given.chat) || post === undefined) return carryOut(given)
    const free = await leases.tryTake(turnLease(given.chat))
    if (free === undefined) return post.send(given)
    await free.release()
    return false
  }
  return {
    of: (state) => ({
      begin: (chat, stop) => begun(running, leases, { chat, stop }),
      stop: (chat) => order({ do: 'stop', chat }),
      isRunning: (chat) => running.has(chat),
      settle: (chat, call, answer) => order({ do: 'settle', chat, call, answer }),
      async *follow(chat, after, signal, readers) {
        if (readers !== undefined) {
          const isLeft = async (): Promise<boolean> => false
          yield* followTurn({ chat, log: readers, after, signal, turn: undefined, news, isLeft })
          return
        }
        const turn = running.get(chat)
        const own = await state()
        const isLeft = async (): Promise<boolean> => {
          if (running.has(chat)) return false
          const free = await leases.tryTake(turnLease(chat))
          if (free === undefined) return false
          await closeInterrupted(own, chat).finally(() => free.release())
          return true
        }
        yield* followTurn({ chat, log: own.log, after, signal, turn, news, isLeft })
      },
    }),
    async close() {
      const all = [...running.values()]
      for (const turn of all) stopped(turn)
      await Promise.all(all.map(({ closed }) => closed.promise))
    },
  }
}

async function begun(
  running: Map<string, Running>,
  leases: SharedLeases,
  { chat, stop }: { readonly chat: string; readonly stop: () => void },
): Promise<BegunTurn> {
  if (running.has(chat)) throw underWay()
  const turn: Running = {
    stop,
    listeners: new Set(),
    waiting: new Map(),
    told: [],
    closed: Promise.withResolvers(),
    isClosed: false,
  }
  // Set before the lease is acquired: another call of this process must not request it too.
  running.set(chat, turn)
  let lease: HeldLease | undefined
  const lose = (): void => void stopped(turn)
  const close = async (): Promise<void> => {
    if (turn.isClosed) return
    running.delete(chat)
    turn.isClosed = true
    refuseAll(turn)
    for (const wake of turn.listeners) wake()
    lease?.lost.removeEventListener('abort', lose)
    await lease?.release().finally(turn.closed.resolve)
    turn.closed.resolve()
  }
  lease = await leases.tryTake(turnLease(chat)).catch(async (thrown: unknown) => {
    await close()
    throw thrown
  })
  if (lease === undefined) {
    await close()
    throw underWay()
  }
  lease.lost.addEventListener('abort', lose)
  return {
    chat,
    tell(event) {
      // Registered before subscribers are notified: one may answer immediately.
      if (event.type === 'part' && event.part.kind === 'approval') waitFor(turn, event.part.call)
      keepTold(turn.told, event)
      for (const wake of turn.listeners) wake()
    },
    approval: (call) => waitFor(turn, call).answer,
    close,
  }
}

const underWay = (): AppError =>
  new AppError('conflict', 'This chat is already being answered.', { hint: 'Wait until it finishes, or stop it.' })

/** Leases for a single process. */
const UNSHARED: SharedLeases = {
  tryTake: async () => ({ lost: new AbortController().signal, release: async () => {} }),
  close: async () => {},
}

function stopped(turn: Running): boolean {
  refuseAll(turn)
  turn.stop()
  return true
}

function settled(turn: Running, call: string, answer: Approval): boolean {
  const waiting = turn.waiting.get(call)
  if (waiting === undefined || waiting.isSettled) return false
  waiting.isSettled = true
  waiting.settle(answer)
  return true
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

/** Adds an event; joins texts, so that a late subscriber gets each once. */
function keepTold(told: ChatEvent[], event: ChatEvent): void {
  const index = event.type === 'more' ? told.findLastIndex((one) => isOfPart(one, event.id)) : -1
  const before = told[index]
  if (event.type !== 'more' || before?.type !== 'part' || !('text' in before.part)) told.push(event)
  else
    told[index] = { ...before, id: event.id, part: { ...before.part, text: before.part.text + event.text } as ChatPart }
}

const isOfPart = (event: ChatEvent, id: string): boolean =>
  event.type === 'part' && event.id.split('.')[0] === id.split('.')[0]
