import { checkPartSize, keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { ChatPart } from '../../../analyst/domain/chat/part.ts'
import type { ChatLog, StoredPart } from '../../../analyst/ports/chat-log.ts'
import { noChat, noMessage, noPart, taken } from '../missing.ts'
import { own, type StateTables } from './state-tables.ts'

export function chatLogOn(shelf: StateTables): ChatLog {
  function add(chat: string, message: string, at: string, part: ChatPart): number {
    const parts = shelf.parts.get(chat) ?? []
    const number = (parts.at(-1)?.number ?? 0) + 1
    shelf.parts.set(chat, parts)
    parts.push({ number, message, at, part })
    return number
  }
  return {
    async begin(message, parts) {
      const chat = shelf.chats.get(message.chat)
      if (chat === undefined) throw noChat(message.chat)
      if (shelf.messages.has(message.id)) throw taken('message', message.id)
      const kept = parts.map(keptPart)
      shelf.messages.set(message.id, own(message))
      shelf.chats.set(chat.id, { ...chat, updatedAt: message.at })
      return kept.map((part) => add(chat.id, message.id, message.at, part))
    },
    async append({ id, chat }, part, at) {
      if (shelf.messages.get(id)?.chat !== chat) throw noMessage(id)
      return add(chat, id, at, keptPart(part))
    },
    async grow(chat, number, text, carry) {
      const parts = shelf.parts.get(chat) ?? []
      const index = parts.findIndex((part) => part.number === number)
      const before = parts[index]
      if (before === undefined || !isGrowing(before.part)) throw noPart(number)
      if (text.length < before.part.text.length) return
      checkPartSize(text.length)
      const part = { ...before.part, text: keptText(text), ...(carry !== undefined && { carry: own(carry) }) }
      parts[index] = { ...before, part }
    },
    async end(message, end) {
      const before = shelf.messages.get(message)
      if (before === undefined) throw noMessage(message)
      if (before.end === undefined) shelf.messages.set(message, { ...before, end: own(end) })
    },
    messages: async (chat, { superseded = false } = {}) =>
      own([...shelf.messages.values()].filter((one) => one.chat === chat && (superseded || !one.superseded))),
    async parts(chat, after, limit) {
      const found = (shelf.parts.get(chat) ?? []).filter(
        ({ number, message }) => number > after && !shelf.messages.get(message)!.superseded,
      )
      return own(found.slice(0, limit))
    },
    async supersede(chat, message) {
      const all = [...shelf.messages.values()].filter((one) => one.chat === chat)
      const from = all.findIndex((one) => one.id === message)
      if (from === -1) throw noMessage(message)
      for (const one of all.slice(from)) shelf.messages.set(one.id, { ...one, superseded: true })
    },
    unended: async (before) =>
      own([...shelf.messages.values()].filter((one) => one.role === 'assistant' && !one.end && one.at < before)).sort(
        (a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0),
      ),
  }
}

type Growing = Extract<ChatPart, { kind: 'text' | 'reasoning' }>

const isGrowing = (part: ChatPart): part is Growing => part.kind === 'text' || part.kind === 'reasoning'

function keptPart(part: ChatPart): StoredPart['part'] {
  checkPartSize(JSON.stringify(part).length)
  return isGrowing(part) ? { ...own(part), text: keptText(part.text) } : own(part)
}
