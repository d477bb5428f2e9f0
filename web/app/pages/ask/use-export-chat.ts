import { storySlug } from '../../../../src/analyst/domain/story/story.ts'
import { call } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { download } from '../../kit/data/download.ts'
import { showToast } from '../../kit/toast-store.ts'

/** Downloads the chat as a file. */
export function useExportChat({ id, title }: { readonly id: string; readonly title: string }) {
  const project = useProject()
  return async (format: 'markdown' | 'json'): Promise<void> => {
    try {
      const { text = '' } = await call(project, 'chat_export', { chat: id, format })
      download(text, `${storySlug(title) || 'chat'}.${format === 'json' ? 'json' : 'md'}`)
    } catch (fault) {
      showToast({ text: fault instanceof Error ? fault.message : 'Can’t export the chat.', tone: 'bad' })
    }
  }
}
