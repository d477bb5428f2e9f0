import { useNavigate } from '@tanstack/react-router'
import { useAct, useProject } from '../../api/queries.ts'
import { showToast } from '../../kit/toast-store.ts'

/** Copies a chat into a new one owned by the reader, up to a message if one is given, and opens it. */
export function useBranch(chat: string): { readonly isBusy: boolean; go(message?: string): void } {
  const project = useProject()
  const navigate = useNavigate()
  const branch = useAct('chat_branch')
  return {
    isBusy: branch.isPending,
    go: (message) =>
      branch.mutate(
        { chat, ...(message !== undefined && { message }) },
        {
          onSuccess: ({ id }) => {
            void navigate({ to: '/$project/ask/$chat', params: { project, chat: id }, search: {} })
            showToast({ text: 'Branched. The original chat is unchanged.' })
          },
          onError: (fault) => showToast({ text: fault.message, tone: 'bad' }),
        },
      ),
  }
}
