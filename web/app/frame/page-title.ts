import { useLocation } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'
import { addRecent } from './recent-places.ts'

/** The title of the window, and the name under which the palette remembers the place. */
export function usePageTitle(title: string): void {
  const href = useLocation({ select: (location) => location.href })
  useEffect(() => name(title, href), [title, href])
}

/** The same of the page around it: what is open in it is named after it, and so goes before it. */
export function usePageName(title: string): void {
  const href = useLocation({ select: (location) => location.href })
  useLayoutEffect(() => name(title, href), [title, href])
}

function name(title: string, href: string): void {
  document.title = `${title} · Ken`
  addRecent({ href, title })
}
