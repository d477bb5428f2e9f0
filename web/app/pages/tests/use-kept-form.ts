import { useState } from 'react'

/** What somebody typed, kept in this browser until it was sent. */
export function useKeptForm<T extends object>(
  name: string,
  otherwise: T,
): readonly [T, (value: T) => void, () => void] {
  const key = `ken.draft.${name}`
  const [value, setValue] = useState<T>(() => ({ ...otherwise, ...kept(key) }))
  const set = (next: T): void => {
    setValue(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // A browser that keeps nothing forgets it with the page.
    }
  }
  const clear = (): void => {
    setValue(otherwise)
    localStorage.removeItem(key)
  }
  return [value, set, clear]
}

function kept(key: string): object {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}
