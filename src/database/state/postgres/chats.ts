import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { Chats } from '../../../analyst/ports/chats.ts'
import type { SqlValue } from '../../../kernel/ports/sql-database.ts'
import { chatOf } from '../chat-rows.ts'
import { foldedText } from '../chat-words.ts'
import { json } from '../given.ts'
import { noChat, taken } from '../missing.ts'
import { chatsOfWords } from './chat-search.ts'
import { asList, OWN, type ScopedRows } from './scoped-rows.ts'

export const CHAT = 'chat.*, chat.person AS "user"'

export function chatsIn(rows: ScopedRows): Chats {
  return {
    async start(chat) {
      const added = await rows.ask(
        `INSERT INTO ken.chats (id, person, project, folder, title, folded_title, starred, created_at, updated_at,
         deleted_at, client_session, origin) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT DO NOTHING RETURNING 1`,
        chat.id,
        chat.user,
        chat.project,
        chat.folder,
        chat.title,
        foldedText(keptText(chat.title)),
        chat.starred,
        chat.createdAt,
        chat.updatedAt,
        chat.deletedAt ?? null,
        chat.clientSession ?? null,
        json(chat.origin),
      )
      if (added.length === 0) throw taken('chat', chat.id)
    },
    async find(id, user) {
      const [row] = await rows.ask(`SELECT ${CHAT} FROM ken.chats AS chat WHERE id = $1 AND person = $2`, id, user)
      return row && chatOf(row)
    },
    async ofMessage(message, user) {
      const [row] = await rows.ask(
        `SELECT ${CHAT} FROM ken.chat_messages AS message JOIN ken.chats AS chat
         ON chat.id = message.chat AND chat.project = message.project AND chat.person = message.person
         WHERE message.id = $1 AND message.person = $2`,
        message,
        user,
      )
      return row && chatOf(row)
    },
    list: ({ user, project, text, prefix, deleted = false, before, limit }) =>
      rows.within(async (ask) => {
        const time = deleted ? 'deleted_at' : 'updated_at'
        const found = text === undefined ? null : asList(await chatsOfWords(ask, user, text))
        const listed = await ask(
          `SELECT ${CHAT} FROM ken.chats AS chat WHERE person = $1 AND (deleted_at IS NOT NULL) = $2
           AND ($3::text IS NULL OR project = $3) AND ($4::text IS NULL OR starts_with(id, $4))
           AND ($5::timestamptz IS NULL OR ${time} < $5) AND ($6::text IS NULL OR id IN (
             SELECT jsonb_array_elements_text($6::text::jsonb)))
           ORDER BY ${time} DESC, place DESC LIMIT $7`,
          user,
          deleted,
          project ?? null,
          prefix ?? null,
          before ?? null,
          found,
          limit,
        )
        return listed.map(chatOf)
      }),
    async change(id, { title, starred, deletedAt, clientSession }) {
      const sets: [string, SqlValue][] = []
      if (title !== undefined) sets.push(['title', title], ['folded_title', foldedText(keptText(title))])
      if (starred !== undefined) sets.push(['starred', starred])
      if (deletedAt !== undefined) sets.push(['deleted_at', deletedAt])
      if (clientSession !== undefined) sets.push(['client_session', clientSession])
      const set = ['id = id', ...sets.map(([column], index) => `${column} = $${index + 2}`)].join(', ')
      const changed = await rows.ask(
        `UPDATE ken.chats SET ${set} WHERE id = $1 RETURNING 1`,
        id,
        ...sets.map(([, value]) => value),
      )
      if (changed.length === 0) throw noChat(id)
    },
    async sweep(before) {
      // Each in a separate transaction: a large one takes a while.
      let swept = 0
      for (const { id } of await rows.ask(`SELECT id FROM ken.chats WHERE deleted_at < $1 AND ${OWN}`, before))
        swept += await gone(rows, String(id), before)
      return swept
    },
    async erase(id) {
      if ((await gone(rows, id, null)) === 0) throw noChat(id)
    },
  }
}

/** Costs, memories and drafts stay, without a reference to their chat. The rest is deleted with it. */
async function gone(rows: ScopedRows, id: string, deletedBefore: string | null): Promise<number> {
  const [row] = await rows.ask(
    `WITH gone AS (
       DELETE FROM ken.chats WHERE id = $1 AND ($2::timestamptz IS NULL OR deleted_at < $2)
       RETURNING id, project, person),
     votes AS (DELETE FROM ken.feedback AS vote USING gone WHERE vote.chat = gone.id AND vote.project = gone.project),
     calls AS (UPDATE ken.model_calls AS call SET chat = NULL, message = NULL FROM gone
       WHERE call.chat = gone.id AND call.project = gone.project),
     told AS (UPDATE ken.stories AS story SET chat = NULL FROM gone
       WHERE story.chat = gone.id AND story.project = gone.project),
     drafted AS (UPDATE ken.drafts AS draft SET chat = NULL, message = NULL FROM gone
       WHERE draft.chat = gone.id AND draft.project = gone.project),
     learned AS (UPDATE ken.user_memories AS memory SET chat = NULL, message = NULL FROM gone
       WHERE memory.chat = gone.id AND memory.person = gone.person)
     SELECT count(*) AS count FROM gone`,
    id,
    deletedBefore,
  )
  return Number(row!['count'])
}
