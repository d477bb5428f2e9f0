import { useState } from 'react'
import { useProject } from '../../api/queries.ts'

/** Something that is being written, kept in this browser until it was sent. */
export function useDraft<T extends object>(
  name: string,
  empty: T,
): readonly [draft: T, set: (draft: T) => void, forget: () => void, isKept: boolean] {
  const key = `ken.draft.${useProject()}.${name}`
  const [kept] = useState(() => read(key, empty))
  const [draft, setDraft] = useState(kept ?? empty)
  const set = (next: T): void => {
    setDraft(next)
    write(key, next)
  }
  const forget = (): void => {
    setDraft(empty)
    write(key, undefined)
  }
  return [draft, set, forget, kept !== undefined]
}

/** What an older page kept may lack a field, or hold something else in its place. */
function read<T extends object>(key: string, empty: T): T | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const fields = Object.entries(empty).map(([name, value]) => {
      const said = (kept as Record<string, unknown>)[name]
      return [name, typeof said === typeof value && Array.isArray(said) === Array.isArray(value) ? said : value]
    })
    return Object.fromEntries(fields) as T
  } catch {
    return undefined
  }
}

function write(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // A browser that keeps nothing loses it with the page.
  }
}
