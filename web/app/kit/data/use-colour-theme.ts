import { useSyncExternalStore } from 'react'

/** The theme shown now; print is always light. */
export const useColourTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, themeNow)

/** Value of a design token, for content that style sheets do not reach. */
export const tokenOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const themeNow = (): 'light' | 'dark' =>
  document.documentElement.dataset['theme'] === 'dark' && !matchMedia('print').matches ? 'dark' : 'light'

function subscribe(changed: () => void): () => void {
  const print = matchMedia('print')
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  print.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    print.removeEventListener('change', changed)
  }
}
