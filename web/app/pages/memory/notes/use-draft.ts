import { useState } from 'react'

/** What was typed and not saved yet, with the state of the file that it was typed into. */
export interface NoteDraft {
  readonly text: string
  readonly hash: string
}

/** Kept on this machine until it is saved, so that nothing typed is lost. */
export function useNoteDraft(name: string): [NoteDraft | undefined, (draft: NoteDraft | undefined) => void] {
  const key = `ken.note.${name}`
  const [kept, setKept] = useState(() => ({ key, draft: readDraft(localStorage.getItem(key)) }))
  const now = kept.key === key ? kept : { key, draft: readDraft(localStorage.getItem(key)) }
  const change = (draft: NoteDraft | undefined): void => {
    setKept({ key, draft })
    try {
      if (draft === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // The store of the browser is full: the text stays in the page.
    }
  }
  return [now.draft, change]
}

export function readDraft(kept: string | null): NoteDraft | undefined {
  try {
    const { text, hash } = JSON.parse(kept ?? '') as Partial<NoteDraft>
    return typeof text === 'string' && typeof hash === 'string' ? { text, hash } : undefined
  } catch {
    return undefined
  }
}
