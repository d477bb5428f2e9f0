import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { useProject } from '../../api/queries.ts'
import { liveChat, type ChatState, type LiveChat } from './live-chat.ts'

/** The live chat with this id. */
export function useLiveChat(chat: string): { readonly live: LiveChat; readonly state: ChatState } {
  const project = useProject()
  const client = useQueryClient()
  const live = useMemo(
    () =>
      liveChat(project, chat, () => {
        void client.invalidateQueries({ queryKey: [project, 'chats_list'] })
        void client.invalidateQueries({ queryKey: [project, 'chat_show'] })
        void client.invalidateQueries({ queryKey: [project, 'stories_list'] })
      }),
    [project, chat, client],
  )
  const state = useSyncExternalStore(live.subscribe, live.get)
  return { live, state }
}
