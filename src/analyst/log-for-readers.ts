import { partForReaders } from './domain/chat/part-for-readers.ts'
import type { ChatLog } from './ports/chat-log.ts'

/** Read access to a chat. */
export type ReadLog = Pick<ChatLog, 'messages' | 'parts'>

/** The chat log as seen by readers other than the owner. */
export const logForReaders = ({ messages, parts }: ReadLog): ReadLog => ({
  messages: (chat) => messages(chat),
  parts: async (...wanted) =>
    (await parts(...wanted)).flatMap((stored) => {
      const part = partForReaders(stored.part)
      return part === undefined ? [] : [{ ...stored, part }]
    }),
})
