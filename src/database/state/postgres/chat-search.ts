import { foldedText, searchWords } from '../chat-words.ts'
import { asList, OWN, ownOf, type Ask } from './scoped-rows.ts'

/** Ids of the chats, of one user or all visible ones, that contain all words of a text, each in any of their texts. */
export async function chatsOfWords(ask: Ask, user: string | undefined, text: string): Promise<readonly string[]> {
  const growing = user === undefined ? [] : await textsBeingWritten(ask, user)
  const words = searchWords(text).map((word) => ({
    word,
    growing: growing.filter(({ folded }) => folded.includes(word)).map(({ chat }) => chat),
  }))
  const rows = await ask(
    `SELECT chat.id FROM ken.chats AS chat WHERE ($1::text IS NULL OR chat.person = $1) AND NOT EXISTS (
       SELECT FROM jsonb_to_recordset($2::text::jsonb) AS wanted(word text, growing jsonb)
       WHERE strpos(chat.folded_title, wanted.word) = 0 AND NOT wanted.growing ? chat.id AND NOT EXISTS (
         SELECT FROM ken.chat_words AS said WHERE said.chat = chat.id AND said.project = chat.project
         AND said.person = chat.person AND strpos(said.folded, wanted.word) > 0))`,
    user ?? null,
    asList(words),
  )
  return rows.map(({ id }) => String(id))
}

/** An answer is indexed when it has ended: indexing it as it grows would cost more than storing it. */
const textsBeingWritten = async (ask: Ask, user: string): Promise<readonly { chat: string; folded: string }[]> =>
  (
    await ask(
      `SELECT part.chat, part.text FROM ken.chat_messages AS message JOIN ken.chat_parts AS part
       ON part.message = message.id AND part.project = message.project AND part.person = message.person
       WHERE message.ending IS NULL AND message.role = 'assistant' AND NOT message.superseded AND message.person = $1
       AND part.kind = 'text'`,
      user,
    )
  ).map((row) => ({ chat: String(row['chat']), folded: foldedText(String(row['text'])) }))

/** Indexes the text of a message once it is complete: a person's message, or an answer that has ended. */
export async function enterWords(ask: Ask, message: string): Promise<void> {
  const texts = await ask(
    `SELECT part.text FROM ken.chat_messages AS message JOIN ken.chat_parts AS part
     ON part.message = message.id AND part.project = message.project AND part.person = message.person
     WHERE message.id = $1 AND ${ownOf('message.person')} AND (message.role = 'user' OR message.ending IS NOT NULL) AND NOT message.superseded
     AND part.kind = 'text' ORDER BY part.number`,
    message,
  )
  if (texts.length === 0) return
  await ask(
    `INSERT INTO ken.chat_words (message, project, person, chat, folded)
     SELECT id, project, person, chat, $2::text FROM ken.chat_messages WHERE id = $1 AND ${OWN}
     ON CONFLICT (message, project, person) DO UPDATE SET folded = excluded.folded`,
    message,
    foldedText(texts.map(({ text }) => String(text)).join('\n')),
  )
}
