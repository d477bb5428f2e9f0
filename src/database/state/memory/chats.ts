import type { Chat } from '../../../analyst/domain/chat/chat.ts'
import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { ChatQuery, Chats } from '../../../analyst/ports/chats.ts'
import { foldedText, searchWords } from '../chat-words.ts'
import { noChat, taken } from '../missing.ts'
import { newestFirst, own, type StateTables } from './state-tables.ts'

export function chatsOn(shelf: StateTables): Chats {
  return {
    async start(chat) {
      if (shelf.chats.has(chat.id)) throw taken('chat', chat.id)
      shelf.chats.set(chat.id, { ...own(chat), title: keptText(chat.title) })
    },
    async find(id, user) {
      const chat = shelf.chats.get(id)
      return chat?.user === user ? own(chat) : undefined
    },
    async ofMessage(message, user) {
      const chat = shelf.chats.get(shelf.messages.get(message)?.chat ?? '')
      return chat?.user === user ? own(chat) : undefined
    },
    async list(query) {
      const found = newestFirst(shelf.chats.values(), timeOf)
      return own(found.filter((chat) => fits(shelf, chat, query)).slice(0, query.limit))
    },
    async change(id, { deletedAt, ...change }) {
      const before = shelf.chats.get(id)
      if (before === undefined) throw noChat(id)
      const { deletedAt: deletedBefore, ...chat } = before
      const deleted = deletedAt === undefined ? deletedBefore : (deletedAt ?? undefined)
      shelf.chats.set(id, {
        ...chat,
        ...change,
        ...(change.title !== undefined && { title: keptText(change.title) }),
        ...(deleted !== undefined && { deletedAt: deleted }),
      })
    },
    async sweep(before) {
      const swept = [...shelf.chats.values()].filter((chat) => chat.deletedAt !== undefined && chat.deletedAt < before)
      for (const { id } of swept) sweepOne(shelf, id)
      return swept.length
    },
    async erase(id) {
      if (!shelf.chats.has(id)) throw noChat(id)
      sweepOne(shelf, id)
    },
  }
}

function fits(
  shelf: StateTables,
  chat: Chat,
  { user, project, text, prefix, deleted = false, before }: ChatQuery,
): boolean {
  return (
    chat.user === user &&
    (project === undefined || chat.project === project) &&
    (prefix === undefined || chat.id.startsWith(prefix)) &&
    (chat.deletedAt !== undefined) === deleted &&
    (before === undefined || timeOf(chat) < before) &&
    (text === undefined || holdsWords([chat.title, ...texts(shelf, chat.id)], searchWords(text)))
  )
}

const timeOf = (chat: Chat): string => chat.deletedAt ?? chat.updatedAt

function holdsWords(texts: readonly string[], words: readonly string[]): boolean {
  const folded = texts.map(foldedText)
  return words.every((word) => folded.some((text) => text.includes(word)))
}

const texts = (shelf: StateTables, chat: string): string[] =>
  (shelf.parts.get(chat) ?? []).flatMap(({ part, message }) =>
    part.kind === 'text' && !shelf.messages.get(message)!.superseded ? [part.text] : [],
  )

/** Costs, memories and drafts stay, without a reference to their chat. */
function sweepOne(shelf: StateTables, id: string): void {
  shelf.chats.delete(id)
  shelf.parts.delete(id)
  shelf.queries.delete(id)
  for (const message of shelf.messages.values()) if (message.chat === id) shelf.messages.delete(message.id)
  for (const vote of shelf.votes.values()) if (vote.chat === id) shelf.votes.delete(vote.message)
  for (const { chat, message: _, ...call } of shelf.calls.values()) if (chat === id) shelf.calls.set(call.id, call)
  for (const { chat, ...story } of shelf.stories.values()) if (chat === id) shelf.stories.set(story.id, story)
  for (const draft of shelf.drafts.values()) {
    const { chat, message: _, ...from } = draft.from
    if (chat === id) shelf.drafts.set(draft.id, { ...draft, from })
  }
  for (const row of shelf.memories.values()) {
    const { chat, message: _, ...evidence } = row.evidence
    if (chat === id) shelf.memories.set(row.id, { ...row, evidence })
  }
}
