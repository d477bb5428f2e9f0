import { useAnswer } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import type { ListedChat } from './chat-row.tsx'

/** What the list says of a chat: undefined where it is older than those that are listed. */
export function useListedChat(chat: string): {
  readonly known: ListedChat | undefined
  /** Whether it is known to be the reader's own, to be changed. */
  readonly isOwn: boolean
} {
  const listed = useAnswer('chats_list', { words: [], limit: 500 }, { keep: true })
  const known = listed.data?.chats.find(({ id }) => id === chat)
  return { known, isOwn: !isTeam() || (!listed.isPending && known?.owner === undefined) }
}
