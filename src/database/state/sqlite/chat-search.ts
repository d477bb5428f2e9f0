import type { Chat } from '../../../analyst/domain/chat/chat.ts'
import { foldedText, searchWords } from '../chat-words.ts'
import type { Tables } from './tables.ts'

/** Chats of a user that contain all words of a text, each in any of their texts. */
export function chatsWithWords(tables: Tables, user: string, chats: readonly Chat[], text: string): readonly Chat[] {
  const growing = textsBeingWritten(tables, user)
  return searchWords(text).reduce((left, word) => {
    const kept = tables.all('SELECT DISTINCT chat FROM chat_words WHERE instr(folded, ?) > 0', word)
    const found = new Set(kept.map((row) => row['chat']))
    for (const { chat, folded } of growing) if (folded.includes(word)) found.add(chat)
    return left.filter((chat) => found.has(chat.id) || foldedText(chat.title).includes(word))
  }, chats)
}

/** An answer is indexed when it has ended: indexing it as it grows would cost more than storing it. */
const textsBeingWritten = (tables: Tables, user: string): readonly { chat: string; folded: string }[] =>
  tables
    .all(
      `SELECT part.chat, part.text FROM chat_message AS message JOIN chat ON chat.id = message.chat
       JOIN chat_part AS part ON part.message = message.id
       WHERE message.ending IS NULL AND message.role = 'assistant' AND NOT message.superseded AND chat.user = ?
       AND part.kind = 'text'`,
      user,
    )
    .map((row) => ({ chat: String(row['chat']), folded: foldedText(String(row['text'])) }))

/** Indexes the text of a message once it is complete: a person's message, or an answer that has ended. */
export function enterWords(tables: Tables, message: string): void {
  const rows = tables.all(
    `SELECT part.chat, part.text FROM chat_message AS message JOIN chat_part AS part ON part.message = message.id
     WHERE message.id = ? AND (message.role = 'user' OR message.ending IS NOT NULL) AND NOT message.superseded
     AND part.kind = 'text' ORDER BY part.number`,
    message,
  )
  if (rows.length === 0) return
  tables.run(
    'INSERT INTO chat_words VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET folded = excluded.folded',
    message,
    rows[0]!['chat']!,
    foldedText(rows.map((row) => String(row['text'])).join('\n')),
  )
}
