import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { OVERLAY } from './keys/listen-to-keys.ts'

// A page that shows its title later than this has been left alone by then.
const WAITS_MS = 4_000

/**
 * Brings the focus to the title of a page that was opened, so that it is read out and Tab goes on from there. Within a
 * page the focus stays where the reader put it, unless what had it is gone.
 */
export function usePageFocus(main: { readonly current: HTMLElement | null }): void {
  // The address changes before the page does; the title of the page that is left must not get the focus.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '' })
  const page = path.split('/').slice(1, 3).join('/')
  const before = useRef({ page, path })
  useEffect(() => {
    const { current: last } = before
    before.current = { page, path }
    const isLost = document.activeElement === document.body || document.activeElement === null
    // Not on the first page: there the reader has not gone anywhere yet.
    if (main.current === null || last.path === '' || (last.page === page && !(isLost && last.path !== path))) return
    // Opened while the page came: what is typed belongs to it.
    if (document.activeElement?.closest(OVERLAY)) return
    return focusTitle(main.current)
  }, [main, page, path])
}

/** Also when the title comes later than the page, or is replaced while its content comes. */
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
    // Once the reader is somewhere, that is where they want to be.
    if (at === null || at === document.body || at === main) focus()
  })
  observer.observe(main, { childList: true, subtree: true })
  const timer = setTimeout(() => observer.disconnect(), WAITS_MS)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}
