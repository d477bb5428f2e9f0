import type { SQLInputValue } from 'node:sqlite'
import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { Chats } from '../../../analyst/ports/chats.ts'
import { chatOf } from '../chat-rows.ts'
import { json } from '../given.ts'
import { noChat, taken } from '../missing.ts'
import { chatsWithWords } from './chat-search.ts'
import type { Tables } from './tables.ts'

export function chatsIn(tables: Tables): Chats {
  return {
    start: (chat) =>
      tables.write(() => {
        const isNew = tables.run(
          `INSERT INTO chat (id, user, project, folder, title, starred, created_at, updated_at, deleted_at, client_session, origin)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          chat.id,
          chat.user,
          chat.project,
          chat.folder,
          keptText(chat.title),
          Number(chat.starred),
          chat.createdAt,
          chat.updatedAt,
          chat.deletedAt ?? null,
          chat.clientSession ?? null,
          json(chat.origin),
        )
        if (isNew === 0) throw taken('chat', chat.id)
      }),
    async find(id, user) {
      const row = tables.one('SELECT * FROM chat WHERE id = ? AND user = ?', id, user)
      return row && chatOf(row)
    },
    async ofMessage(message, user) {
      const row = tables.one(
        'SELECT chat.* FROM chat_message AS message JOIN chat ON chat.id = message.chat WHERE message.id = ? AND user = ?',
        message,
        user,
      )
      return row && chatOf(row)
    },
    async list({ user, project, text, prefix, deleted = false, before, limit }) {
      const time = deleted ? 'deleted_at' : 'updated_at'
      const rows = tables.all(
        `SELECT * FROM chat WHERE user = ?1 AND (deleted_at IS NOT NULL) = ?2 AND (?3 IS NULL OR project = ?3)
         AND (?4 IS NULL OR substr(id, 1, length(?4)) = ?4) AND (?5 IS NULL OR ${time} < ?5)
         ORDER BY ${time} DESC, place DESC LIMIT ?6`,
        user,
        Number(deleted),
        project ?? null,
        prefix ?? null,
        before ?? null,
        text === undefined ? limit : -1,
      )
      const chats = rows.map(chatOf)
      return text === undefined ? chats : chatsWithWords(tables, user, chats, text).slice(0, limit)
    },
    change: (id, { title, starred, deletedAt, clientSession }) =>
      tables.write(() => {
        const sets: [string, SQLInputValue][] = []
        if (title !== undefined) sets.push(['title', keptText(title)])
        if (starred !== undefined) sets.push(['starred', Number(starred)])
        if (deletedAt !== undefined) sets.push(['deleted_at', deletedAt])
        if (clientSession !== undefined) sets.push(['client_session', clientSession])
        const set = ['id = id', ...sets.map(([column]) => `${column} = ?`)].join(', ')
        if (tables.run(`UPDATE chat SET ${set} WHERE id = ?`, ...sets.map(([, value]) => value), id) === 0)
          throw noChat(id)
      }),
    async sweep(before) {
      // Run by every process that opens the state, so it takes the write lock only if there is something to do, and
      // releases it after each chat: a large one takes a while.
      let swept = 0
      for (const { id } of tables.all('SELECT id FROM chat WHERE deleted_at < ?', before))
        swept += await tables.write(() => {
          const isDue = tables.one('SELECT 1 FROM chat WHERE id = ? AND deleted_at < ?', id!, before) !== undefined
          if (isDue) for (const sql of SWEEPS) tables.run(sql, id!)
          return Number(isDue)
        })
      if (swept > 0) tables.checkpoint()
      return swept
    },
    async erase(id) {
      await tables.write(() => {
        if (tables.one('SELECT 1 FROM chat WHERE id = ?', id) === undefined) throw noChat(id)
        for (const sql of SWEEPS) tables.run(sql, id)
      })
      tables.checkpoint()
    },
  }
}

/** Costs, memories and drafts stay, without a reference to their chat. */
const SWEEPS = [
  'DELETE FROM chat_part WHERE chat = ?',
  'DELETE FROM chat_message WHERE chat = ?',
  'DELETE FROM chat_query WHERE chat = ?',
  'DELETE FROM chat_words WHERE chat = ?',
  'DELETE FROM feedback WHERE chat = ?',
  'UPDATE model_call SET chat = NULL, message = NULL WHERE chat = ?',
  'UPDATE story SET chat = NULL WHERE chat = ?',
  `UPDATE draft SET source = json_remove(source, '$.chat', '$.message') WHERE source ->> '$.chat' = ?`,
  `UPDATE user_memory SET evidence = json_remove(evidence, '$.chat', '$.message') WHERE evidence ->> '$.chat' = ?`,
  'DELETE FROM chat WHERE id = ?',
] as const
