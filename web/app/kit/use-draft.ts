import { useState } from 'react'

export interface Draft {
  readonly text: string
  /** It differs from what is saved. */
  readonly isChanged: boolean
  /** What the draft began from, as whoever kept it said; undefined for none. */
  readonly base: string | undefined
  set(text: string): void
  /** Forgets it: it was sent, or thrown away. */
  clear(): void
}

/**
 * A text that is being written, kept on this machine until it is sent. `base` says what of, e.g. a version, and stays
 * with the draft.
 */
export function useDraft(key: string, saved: string, base?: string): Draft {
  const place = `ken.draft.${key}`
  const [kept, setKept] = useState(() => ({ place, ...read(place) }))
  const own = kept.place === place ? kept : { place, ...read(place) }
  const text = own.text ?? saved
  return {
    text,
    isChanged: text !== saved,
    base: own.text === undefined ? base : own.base,
    set(next) {
      const began = own.text === undefined ? base : own.base
      setKept({ place, text: next, base: began })
      if (next === saved) localStorage.removeItem(place)
      else write(place, { text: next, ...(began !== undefined && { base: began }) })
    },
    clear() {
      setKept({ place, text: undefined, base: undefined })
      localStorage.removeItem(place)
    },
  }
}

interface Kept {
  readonly text: string | undefined
  readonly base: string | undefined
}

function read(place: string): Kept {
  try {
    const { text, base } = JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Kept>
    return { text: typeof text === 'string' ? text : undefined, base: typeof base === 'string' ? base : undefined }
  } catch {
    return { text: undefined, base: undefined }
  }
}

/** A full store keeps what is on the screen; it is only not there after a reload. */
function write(place: string, kept: object): void {
  try {
    localStorage.setItem(place, JSON.stringify(kept))
  } catch {
    // Nothing to do about it here.
  }
}
