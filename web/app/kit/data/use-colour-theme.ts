import { useSyncExternalStore } from 'react'

/** What the page looks like now: as chosen, else as the system says; paper is always light. */
export const useColourTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, themeNow)

/** The value of a token, for what no style sheet reaches. */
export const tokenOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const themeNow = (): 'light' | 'dark' => {
  if (matchMedia('print').matches) return 'light'
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

function subscribe(changed: () => void): () => void {
  const media = [matchMedia('print'), matchMedia('(prefers-color-scheme: dark)')]
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  for (const one of media) one.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    for (const one of media) one.removeEventListener('change', changed)
  }
}
