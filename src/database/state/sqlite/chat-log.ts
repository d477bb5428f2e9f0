import { checkPartSize, keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { ChatLog } from '../../../analyst/ports/chat-log.ts'
import { keptPart, messageOf, partOf, type KeptPart } from '../chat-rows.ts'
import { json } from '../given.ts'
import { noChat, noMessage, noPart, taken } from '../missing.ts'
import { enterWords } from './chat-search.ts'
import type { Tables } from './tables.ts'

export function chatLogIn(tables: Tables): ChatLog {
  /** Numbers are counted per chat, so that none is reused after a deletion. */
  function add(chat: string, message: string, at: string, { kind, body, text }: KeptPart): number {
    const counted = tables.one('UPDATE chat SET parts = parts + 1 WHERE id = ? RETURNING parts', chat)
    if (counted === undefined) throw noChat(chat)
    const number = Number(counted['parts'])
    tables.run(
      'INSERT INTO chat_part (chat, number, message, at, kind, body, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
      chat,
      number,
      message,
      at,
      kind,
      body,
      text,
    )
    return number
  }
  return {
    async begin(message, parts) {
      const kept = parts.map(keptPart)
      return tables.write(() => {
        if (tables.run('UPDATE chat SET updated_at = ? WHERE id = ?', message.at, message.chat) === 0)
          throw noChat(message.chat)
        const isNew = tables.run(
          `INSERT INTO chat_message (id, chat, role, at, model, superseded, ending) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT DO NOTHING`,
          message.id,
          message.chat,
          message.role,
          message.at,
          message.model ?? null,
          Number(message.superseded),
          json(message.end),
        )
        if (isNew === 0) throw taken('message', message.id)
        const numbers = kept.map((part) => add(message.chat, message.id, message.at, part))
        enterWords(tables, message.id)
        return numbers
      })
    },
    async append({ id, chat }, part, at) {
      const kept = keptPart(part)
      return tables.write(() => {
        if (tables.one('SELECT 1 FROM chat_message WHERE id = ? AND chat = ?', id, chat) === undefined)
          throw noMessage(id)
        const number = add(chat, id, at, kept)
        if (kept.kind === 'text') enterWords(tables, id)
        return number
      })
    },
    async grow(chat, number, text, carry) {
      checkPartSize(text.length)
      const kept = keptText(text)
      return tables.write(() => {
        const before = tables.one(
          "SELECT place, text FROM chat_part WHERE chat = ? AND number = ? AND kind IN ('text', 'reasoning')",
          chat,
          number,
        )
        if (before === undefined) throw noPart(number)
        if (kept.length < String(before['text']).length) return
        if (carry === undefined) tables.run('UPDATE chat_part SET text = ? WHERE place = ?', kept, before['place']!)
        else
          tables.run(
            'UPDATE chat_part SET text = ?, body = ? WHERE place = ?',
            kept,
            JSON.stringify({ carry }),
            before['place']!,
          )
      }, 'soon')
    },
    end: (message, end) =>
      tables.write(() => {
        const found = tables.run(
          'UPDATE chat_message SET ending = coalesce(ending, ?) WHERE id = ?',
          JSON.stringify(end),
          message,
        )
        if (found === 0) throw noMessage(message)
        enterWords(tables, message)
      }),
    messages: async (chat, { superseded = false } = {}) =>
      tables
        .all('SELECT * FROM chat_message WHERE chat = ? AND superseded <= ? ORDER BY place', chat, Number(superseded))
        .map(messageOf),
    parts: async (chat, after, limit = -1) =>
      tables
        .all(
          `SELECT part.* FROM chat_part AS part JOIN chat_message AS message ON message.id = part.message
           WHERE part.chat = ? AND part.number > ? AND NOT message.superseded ORDER BY part.number LIMIT ?`,
          chat,
          after,
          limit,
        )
        .map(partOf),
    supersede: (chat, message) =>
      tables.write(() => {
        const from = tables.one('SELECT place FROM chat_message WHERE id = ? AND chat = ?', message, chat)
        if (from === undefined) throw noMessage(message)
        tables.run('UPDATE chat_message SET superseded = 1 WHERE chat = ? AND place >= ?', chat, from['place']!)
        tables.run(
          'DELETE FROM chat_words WHERE message IN (SELECT id FROM chat_message WHERE chat = ? AND place >= ?)',
          chat,
          from['place']!,
        )
      }),
    unended: async (before) =>
      tables
        .all(
          "SELECT * FROM chat_message WHERE ending IS NULL AND role = 'assistant' AND at < ? ORDER BY at, place",
          before,
        )
        .map(messageOf),
  }
}
