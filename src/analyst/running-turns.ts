import { AppError } from '../kernel/domain/errors.ts'
import type { HeldLease, SharedLeases } from '../kernel/ports/shared-lease.ts'
import type { ChatEvent } from './domain/chat/event.ts'
import type { Approval, ChatPart } from './domain/chat/part.ts'
import { endCut } from './end-cut.ts'
import { followTurn, type HeardTurn } from './follow-turn.ts'
import type { AnalystState } from './ports/analyst-state.ts'
import type { ChatNews } from './ports/chat-news.ts'
import type { RunningTurns } from './ports/running-turns.ts'
import type { TurnOrder, TurnPost } from './ports/turn-post.ts'

/** The turn as whoever writes it sees it: all that is added is told to those who listen. */
export interface LiveTurn {
  readonly chat: string
  tell(event: ChatEvent): void
  /** Waits for a person's word on a call; `no` when the turn is stopped first. */
  approval(call: string): Promise<Approval>
}

export interface BegunTurn extends LiveTurn {
  close(): Promise<void>
}

export interface Turns extends RunningTurns {
  /**
   * Begins the one turn that a chat may have; throws `conflict` while another is under way, in whatever process. `stop`
   * is called when a person stops it, and when the right to write in the chat is lost.
   */
  begin(chat: string, stop: () => void): Promise<BegunTurn>
}

/** The turns of one process, for everybody whose chats it answers. */
export interface ProcessTurns {
  /** As somebody sees them who has this state. */
  of(state: () => Promise<AnalystState>): Turns
  /** Stops those under way and waits until each is written down. */
  close(): Promise<void>
}

export interface TurnParts {
  /**
   * The right to write in a chat: who gets it while a message has no end knows that nobody will end it.
   */
  readonly leases: SharedLeases
  /** Of chats that other processes write in; they are looked at again and again without it. */
  readonly news?: ChatNews
  /** Reaches turns of other processes; there is no stopping them from here without it. */
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
  /** Kept: who answers at once does so before the call itself waits. */
  isSettled: boolean
}

/** What the right to write in a chat is called. */
const turnLease = (chat: string): string => `turn ${chat}`

export function openTurns({ leases, news, post }: TurnParts = { leases: UNSHARED }): ProcessTurns {
  const running = new Map<string, Running>()
  const carryOut = async (order: TurnOrder): Promise<boolean> => {
    const turn = running.get(order.chat)
    if (turn === undefined) return false
    return order.do === 'stop' ? stopped(turn) : settled(turn, order.call, order.answer)
  }
  post?.obey(carryOut)
  /** Here, or wherever the chat is written; nobody is asked where nobody writes. */
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
          await endCut(own, chat).finally(() => free.release())
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
  // Before the lease is had: another call of this process must not ask for it too.
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
      // Whoever hears that a call waits may answer at once.
      if (event.type === 'part' && event.part.kind === 'approval') waitFor(turn, event.part.call)
      keepTold(turn.told, event)
      for (const wake of turn.listeners) wake()
    },
    approval: (call) => waitFor(turn, call).answer,
    close,
  }
}

const underWay = (): AppError =>
  new AppError('conflict', 'This chat is being answered already.', { hint: 'Wait until it has ended, or stop it.' })

/** Where there is no other process. */
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
