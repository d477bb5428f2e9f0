import { useState } from 'react'
import { keep, kept, keptFields } from './kept-text.ts'

export interface Draft {
  readonly text: string
  /** It differs from what is saved. */
  readonly isChanged: boolean
  /** What the draft began from, as whoever kept it said; undefined for none. */
  readonly base: string | undefined
  /** With a base, it goes on from that one instead. */
  set(text: string, base?: string): void
  /** Forgets it: it was sent, or thrown away. */
  clear(): void
}

/**
 * A text that is being written, kept on this machine until it is sent. `base` says what of, e.g. a version, and stays
 * with the draft.
 */
export function useDraft(key: string, saved: string, base?: string): Draft {
  const place = `ken.draft.${key}`
  const [last, setLast] = useState(() => read(place))
  const own = last.place === place ? last : read(place)
  const text = own.text ?? saved
  const began = own.text === undefined ? base : own.base
  const change = (draft: { readonly text?: string; readonly base?: string | undefined }): void => {
    setLast({ place, text: draft.text, base: draft.base })
    keep(place, draft.text === undefined ? undefined : JSON.stringify(draft))
  }
  return {
    text,
    isChanged: text !== saved,
    base: began,
    set: (next, from = began) => change(next === saved ? {} : { text: next, base: from }),
    clear: () => change({}),
  }
}

function read(place: string) {
  const { text, base } = keptFields(kept(place))
  return {
    place,
    text: typeof text === 'string' ? text : undefined,
    base: typeof base === 'string' ? base : undefined,
  }
}
