import { useState } from 'react'

/** Text that stays on this machine until it is sent. */
export function useKeptText(key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '')
  const change = (next: string): void => {
    setText(next)
    try {
      if (next === '') localStorage.removeItem(key)
      else localStorage.setItem(key, next)
    } catch {
      // The store of the browser is full: the text stays in the page.
    }
  }
  return [text, change]
}
