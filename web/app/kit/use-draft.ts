import { useLayoutEffect, useRef, useState } from 'react'
import { keepTyped, keptFields, keptTyped } from './kept-text.ts'

export interface Draft {
  readonly text: string
  /** Whether the text differs from the saved text. */
  readonly isChanged: boolean
  /** The base given when the draft was started; undefined if none. */
  readonly base: string | undefined
  /** Sets the text and, if given, the base. */
  set(text: string, base?: string): void
  /** Deletes a draft that was discarded. */
  clear(): void
  /**
   * Deletes a draft whose `text` was saved. If more was typed during saving, that stays as a draft with the new base,
   * and the result is true.
   */
  sent(text: string, base?: string): boolean
}

/**
 * A draft text, stored on this machine until it is sent. `base` identifies its source, e.g. a version, and is stored
 * with the draft.
 */
export function useDraft(key: string, saved: string, base?: string): Draft {
  const place = `ken.draft.${key}`
  const [last, setLast] = useState(() => read(place))
  const own = last.place === place ? last : read(place)
  const text = own.text ?? saved
  const began = own.text === undefined ? base : own.base
  const newest = useRef({ place, text })
  useLayoutEffect(() => {
    newest.current = { place, text }
  })
  const change = (draft: { readonly text?: string; readonly base?: string | undefined }): void => {
    setLast({ place, text: draft.text, base: draft.base })
    keepTyped(place, draft.text === undefined ? undefined : JSON.stringify(draft))
  }
  return {
    text,
    isChanged: text !== saved,
    base: began,
    set: (next, from = began) => change(next === saved ? {} : { text: next, base: from }),
    clear: () => change({}),
    sent(saving, from) {
      const now = newest.current.place === place ? newest.current.text : (read(place).text ?? saving)
      const isTyping = now !== saving
      change(isTyping ? { text: now, base: from } : {})
      return isTyping
    },
  }
}

function read(place: string) {
  const { text, base } = keptFields(keptTyped(place))
  return {
    place,
    text: typeof text === 'string' ? text : undefined,
    base: typeof base === 'string' ? base : undefined,
  }
}
