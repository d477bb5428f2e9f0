import { useState } from 'react'
import { useAct } from '../../api/queries.ts'
import { showToast } from '../../kit/toast-store.ts'

/** The title of a chat in a field; it stays in the field until it is saved, and if saving fails. */
export function useRenameChat(chat: string, title: string, onDone: () => void) {
  const rename = useAct('chat_rename')
  const [words, setWords] = useState(title)
  const keep = (): void => {
    const wanted = words.trim()
    if (rename.isPending) return
    if (wanted === '' || wanted === title) return onDone()
    rename.mutate(
      { chat, title: wanted },
      { onSuccess: onDone, onError: (fault) => showToast({ text: fault.message, tone: 'bad' }) },
    )
  }
  return { words, setWords, keep }
}
