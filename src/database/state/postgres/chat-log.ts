import { checkPartSize, keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { ChatLog } from '../../../analyst/ports/chat-log.ts'
import { keptPart, messageOf, partOf, type KeptPart } from '../chat-rows.ts'
import { json } from '../given.ts'
import { noChat, noMessage, noPart, taken } from '../missing.ts'
import { CHAT_NEWS } from './chat-news.ts'
import { ofChat, ONE_CHAT } from './chat-queries.ts'
import { enterWords } from './chat-search.ts'
import { asList, OWN, type ScopedRows } from './scoped-rows.ts'

/** Notifies listeners in other processes after the commit. */
const TOLD = (chat: string) => `pg_notify('${CHAT_NEWS}', ${chat})`

export function chatLogIn(rows: ScopedRows): ChatLog {
  return {
    async begin(message, parts) {
      const kept = parts.map(keptPart)
      return rows.inChat(message.chat, async (ask) => {
        const [row] = await ask(
          // Numbers are counted per chat, so that none is reused after a deletion.
          `WITH chat AS (
             UPDATE ken.chats SET updated_at = $3, parts = parts + $8 WHERE id = $1 RETURNING id, project, person, parts),
           begun AS (
             INSERT INTO ken.chat_messages (id, project, person, chat, role, at, model, superseded, ending)
             SELECT $2::text, project, person, id, $4::text, $3::timestamptz, $5::text, $6::boolean, $7::text FROM chat
             ON CONFLICT DO NOTHING RETURNING 1),
           added AS (
             INSERT INTO ken.chat_parts (chat, project, person, number, message, at, kind, body, text, units)
             SELECT chat.id, chat.project, chat.person, chat.parts - $8 + part.nth, $2::text, $3::timestamptz,
               part.kind, part.body, part.text, part.units
             FROM chat, begun, jsonb_to_recordset($9::text::jsonb)
               AS part(nth int, kind text, body text, text text, units int))
           SELECT parts, (SELECT count(*) FROM begun) AS begun, ${TOLD('id')} FROM chat`,
          message.chat,
          message.id,
          message.at,
          message.role,
          message.model ?? null,
          message.superseded,
          json(message.end),
          kept.length,
          asList(kept.map((part, index) => ({ nth: index + 1, units: unitsOf(part), ...part }))),
        )
        if (row === undefined) throw noChat(message.chat)
        if (row['begun'] === 0) throw taken('message', message.id)
        const isSaid = message.role === 'user' || message.end !== undefined
        if (isSaid && kept.some(({ kind }) => kind === 'text')) await enterWords(ask, message.id)
        return kept.map((_, index) => Number(row['parts']) - kept.length + index + 1)
      })
    },
    async append({ id, chat }, part, at) {
      const kept = keptPart(part)
      return rows.inChat(chat, async (ask) => {
        const [row] = await ask(
          `WITH message AS (SELECT id, chat, project, person, role, ending FROM ken.chat_messages
             WHERE id = $2 AND chat = $1),
           chat AS (
             UPDATE ken.chats AS chat SET parts = parts + 1 FROM message WHERE ${ofChat('message')}
             RETURNING chat.id, chat.project, chat.person, chat.parts, message.role = 'user' OR ending IS NOT NULL AS said),
           added AS (
             INSERT INTO ken.chat_parts (chat, project, person, number, message, at, kind, body, text, units)
             SELECT id, project, person, parts, $2::text, $3::timestamptz, $4::text, $5::text, $6::text, $7::int
             FROM chat)
           SELECT parts, said, ${TOLD('id')} FROM chat`,
          chat,
          id,
          at,
          kept.kind,
          kept.body,
          kept.text,
          unitsOf(kept),
        )
        if (row === undefined) throw noMessage(id)
        if (kept.kind === 'text' && row['said'] === true) await enterWords(ask, id)
        return Number(row['parts'])
      })
    },
    async grow(chat, number, text, carry) {
      checkPartSize(text.length)
      const kept = keptText(text)
      const [row] = await rows.ask(
        // Survives a crash of this process immediately, and a crash of the machine a little later, so that nothing
        // waits for the disk.
        `WITH grown AS (
           UPDATE ken.chat_parts SET text = CASE WHEN units <= $4 THEN $3 ELSE text END, units = greatest(units, $4),
             body = CASE WHEN units <= $4 THEN coalesce($5, body) ELSE body END
           WHERE chat = $1 AND number = $2 AND kind IN ('text', 'reasoning') RETURNING chat)
         SELECT set_config('synchronous_commit', 'off', true), ${TOLD('chat')} FROM grown`,
        chat,
        number,
        kept,
        kept.length,
        carry === undefined ? null : JSON.stringify({ carry }),
      )
      if (row === undefined) throw noPart(number)
    },
    end: (message, end) =>
      rows.within(async (ask) => {
        const [row] = await ask(
          `WITH ended AS (UPDATE ken.chat_messages SET ending = coalesce(ending, $2) WHERE id = $1 RETURNING chat)
           SELECT ${TOLD('chat')} FROM ended`,
          message,
          JSON.stringify(end),
        )
        if (row === undefined) throw noMessage(message)
        await enterWords(ask, message)
      }),
    messages: async (chat, { superseded = false } = {}) =>
      (
        await rows.ask(
          `SELECT message.* FROM ${ONE_CHAT} AS chat JOIN ken.chat_messages AS message ON ${ofChat('message')}
           WHERE $2 OR NOT message.superseded ORDER BY message.place`,
          chat,
          superseded,
        )
      ).map(messageOf),
    parts: async (chat, after, limit) =>
      (
        await rows.ask(
          `SELECT part.* FROM ${ONE_CHAT} AS chat JOIN ken.chat_parts AS part ON ${ofChat('part')}
           JOIN ken.chat_messages AS message ON message.id = part.message AND ${ofChat('message')}
           WHERE part.number > $2 AND NOT message.superseded ORDER BY part.number LIMIT $3`,
          chat,
          after,
          limit ?? null,
        )
      ).map(partOf),
    async supersede(chat, message) {
      const [row] = await rows.inChat(chat, (ask) =>
        ask(
          `WITH first AS (SELECT place, chat, project, person FROM ken.chat_messages WHERE id = $2 AND chat = $1),
         edited AS (
           UPDATE ken.chat_messages AS message SET superseded = true FROM first
           WHERE message.chat = first.chat AND message.project = first.project AND message.person = first.person
           AND message.place >= first.place RETURNING message.id, message.chat, message.project, message.person),
         unsaid AS (
           DELETE FROM ken.chat_words AS said USING edited
           WHERE said.message = edited.id AND said.project = edited.project AND said.person = edited.person)
         SELECT chat, ${TOLD('chat')} FROM edited GROUP BY chat`,
          chat,
          message,
        ),
      )
      if (row === undefined) throw noMessage(message)
    },
    unended: async (before) =>
      (
        await rows.ask(
          `SELECT * FROM ken.chat_messages WHERE ending IS NULL AND role = 'assistant' AND at < $1 AND ${OWN}
           ORDER BY at, place`,
          before,
        )
      ).map(messageOf),
  }
}

const unitsOf = ({ text }: KeptPart): number | null => text?.length ?? null
