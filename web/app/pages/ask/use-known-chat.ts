import { useAnswer } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import type { ListedChat } from './chat-row.tsx'

/** Metadata of a chat; undefined until loaded, or if the chat does not exist. */
export function useKnownChat(chat: string): {
  readonly known: ListedChat | undefined
  /** Whether the chat is known to be the reader's, and so editable. */
  readonly isOwn: boolean
} {
  const { data, isPending } = useAnswer('chat_show', { chat, last: 0 })
  const known = data?.chat
  return { known, isOwn: !isTeam() || (!isPending && known?.owner === undefined) }
}
