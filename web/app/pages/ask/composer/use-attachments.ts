import { useCallback, useRef, useState } from 'react'
import { takeFiles, type Attachment } from './attachments.ts'

export interface Attachments {
  readonly all: readonly Attachment[]
  /** Why the last files were refused. */
  readonly refused: readonly string[]
  readonly add: (files: readonly File[]) => void
  readonly remove: (at: number) => void
  readonly clear: () => void
}

/** Files attached to the next question. */
export function useAttachments(): Attachments {
  const [all, setAll] = useState<readonly Attachment[]>([])
  const [refused, setRefused] = useState<readonly string[]>([])
  const now = useRef(all)
  const set = useCallback((next: readonly Attachment[]) => {
    now.current = next
    setAll(next)
  }, [])
  const add = useCallback(
    (files: readonly File[]) => {
      if (files.length === 0) return
      void takeFiles(files, now.current).then((found) => {
        set([...now.current, ...found.taken])
        setRefused(found.refused)
      })
    },
    [set],
  )
  const remove = useCallback((at: number) => set(now.current.filter((_, index) => index !== at)), [set])
  const clear = useCallback(() => {
    set([])
    setRefused([])
  }, [set])
  return { all, refused, add, remove, clear }
}
