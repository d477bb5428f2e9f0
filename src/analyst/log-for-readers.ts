import { partForReaders } from './domain/chat/part-for-readers.ts'
import type { ChatLog } from './ports/chat-log.ts'

/** What a chat is read from. */
export type ReadLog = Pick<ChatLog, 'messages' | 'parts'>

/** The log of chats as those read it who are not their owners. */
export const logForReaders = ({ messages, parts }: ReadLog): ReadLog => ({
  messages: (chat) => messages(chat),
  parts: async (...wanted) =>
    (await parts(...wanted)).flatMap((stored) => {
      const part = partForReaders(stored.part)
      return part === undefined ? [] : [{ ...stored, part }]
    }),
})
