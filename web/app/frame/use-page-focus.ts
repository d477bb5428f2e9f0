import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { OVERLAY } from './keys/listen-to-keys.ts'

// If the title appears later than this, the focus is not moved any more.
const WAITS_MS = 4_000

/**
 * Moves the focus to the title of an opened page, so that it is read out and Tab continues from there. Within a page
 * the focus stays, unless the focused element is gone.
 */
export function usePageFocus(main: { readonly current: HTMLElement | null }): void {
  // The URL changes before the page does; the title of the previous page must not receive the focus.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '' })
  const page = path.split('/').slice(1, 3).join('/')
  const before = useRef({ page, path })
  useEffect(() => {
    const { current: last } = before
    before.current = { page, path }
    const isLost = document.activeElement === document.body || document.activeElement === null
    // Not on the first page: the reader has not navigated yet.
    if (main.current === null || last.path === '' || (last.page === page && !(isLost && last.path !== path))) return
    // An overlay opened while the page loaded keeps the focus.
    if (document.activeElement?.closest(OVERLAY)) return
    return focusTitle(main.current)
  }, [main, page, path])
}

/** Also handles a title that appears later than the page, or is replaced while its content loads. */
function focusTitle(main: HTMLElement): () => void {
  const focus = (): void => {
    const title = main.querySelector('h1')
    if (title !== null) title.tabIndex = -1
    const wanted = title ?? main
    wanted.focus({ preventScroll: true })
  }
  focus()
  const observer = new MutationObserver(() => {
    const at = document.activeElement
    // Does not move the focus if the reader has already moved it.
    if (at === null || at === document.body || at === main) focus()
  })
  observer.observe(main, { childList: true, subtree: true })
  const timer = setTimeout(() => observer.disconnect(), WAITS_MS)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}
