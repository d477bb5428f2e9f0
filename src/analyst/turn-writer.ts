import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { ChatMessage, MessageEnd } from './domain/chat/chat.ts'
import { endEventId, eventId } from './domain/chat/event.ts'
import type { ChatPart } from './domain/chat/part.ts'
import { asEvent } from './follow-turn.ts'
import type { ChatLog, StoredPart } from './ports/chat-log.ts'
import type { LiveTurn } from './running-turns.ts'

/**
 * Stores the events of a turn and sends them to subscribers; only sends events that are stored or about to be stored.
 */
export interface TurnWriter {
  begin(message: ChatMessage, parts: readonly ChatPart[]): Promise<void>
  add(part: ChatPart): Promise<number>
  /** Appends to a text or a reasoning; another kind of part ends it. */
  say(kind: 'text' | 'reasoning', text: string): Promise<void>
  /** Stores provider data to send back with the last reasoning. */
  carry(carry: unknown): Promise<void>
  end(end: MessageEnd): Promise<void>
  /** Reads and sends parts that another process added to this message in the meantime. */
  adopt(): Promise<void>
  /** The parts of this message so far, in the order they were sent. */
  told(): readonly ChatPart[]
  /** The number of the last stored part. */
  last(): number
}

// In milliseconds; a crash loses at most this much of a text: a write for every word would be too expensive.
const STORED_EVERY = 250

export function openTurnWriter(
  { id, chat }: Pick<ChatMessage, 'id' | 'chat'>,
  { log, live, clock }: { log: ChatLog; live: LiveTurn; clock: Clock },
): TurnWriter {
  let growing:
    | { kind: 'text' | 'reasoning'; number: number; text: string; storedAt: number; isStored: boolean }
    | undefined
  const known = new Map<number, StoredPart>()
  let last = 0
  // Serialises writes in the order of the calls: tools run concurrently.
  let before: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = before.then(work)
    before = done.catch(() => {})
    return done
  }
  const now = (): string => clock.now().toISOString()
  const settle = async (): Promise<void> => {
    if (growing !== undefined && !growing.isStored) await log.grow(chat, growing.number, keptText(growing.text))
    growing = undefined
  }
  const tell = (stored: StoredPart): number => {
    last = Math.max(last, stored.number)
    if (stored.message === id) known.set(stored.number, stored)
    live.tell(asEvent(stored))
    return stored.number
  }
  const append = async (given: ChatPart): Promise<number> => {
    const part = withoutSecrets(given)
    const at = now()
    return tell({ number: await log.append({ id, chat }, part, at), message: id, at, part })
  }
  return {
    begin: (message, parts) =>
      inTurn(async () => {
        const numbers = await log.begin(message, parts)
        live.tell({ type: 'message', message })
        parts.forEach((part, i) => tell({ number: numbers[i]!, message: message.id, at: message.at, part }))
      }),
    add: (part) =>
      inTurn(async () => {
        await settle()
        return append(part)
      }),
    say: (kind, text) =>
      inTurn(async () => {
        if (text === '') return
        const time = clock.now().getTime()
        if (growing?.kind !== kind) {
          await settle()
          growing = { kind, number: await append({ kind, text }), text, storedAt: time, isStored: true }
          return
        }
        growing.text += text
        growing.isStored = false
        known.set(growing.number, { ...known.get(growing.number)!, part: { kind, text: growing.text } })
        live.tell({ type: 'more', id: eventId(growing.number, growing.text.length), message: id, text })
        if (time - growing.storedAt < STORED_EVERY) return
        await log.grow(chat, growing.number, keptText(growing.text))
        Object.assign(growing, { storedAt: time, isStored: true })
      }),
    carry: (carry) =>
      inTurn(async () => {
        if (growing?.kind === 'reasoning') await log.grow(chat, growing.number, keptText(growing.text), carry)
        if (growing?.kind === 'reasoning') growing = undefined
      }),
    end: (end) =>
      inTurn(async () => {
        await settle()
        await log.end(id, end)
        live.tell({ type: 'end', id: endEventId(last), message: id, end })
      }),
    adopt: () =>
      inTurn(async () => {
        const first = Math.min(...known.keys(), last)
        for (const part of await log.parts(chat, first - 1))
          if (part.message === id && !known.has(part.number)) tell(part)
      }),
    told: () => [...known.values()].map(({ part }) => part),
    last: () => last,
  }
}

/**
 * Redacts secrets: a model may write some it was never given. Pictures and signed provider data stay unchanged, as
 * redaction would break them.
 */
function withoutSecrets(part: ChatPart): ChatPart {
  if (part.kind === 'image') return part
  const { carry, ...own } = part as ChatPart & { readonly carry?: unknown }
  return { ...redactDeep(own).value, ...(carry !== undefined && { carry }) } as ChatPart
}

/** Redacts a text but never makes it shorter than the text already sent, which defines the subscribers' position. */
const keptText = (text: string): string => redactSecrets(text).text.padEnd(text.length)

/** Converts a failure to the part that ends the answer. */
export function failurePart(thrown: unknown): ChatPart {
  const { code, message, hint } = toAppError(thrown)
  return { kind: 'failure', code, message, ...(hint !== undefined && { hint }) }
}
