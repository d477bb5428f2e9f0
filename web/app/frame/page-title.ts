import { useLocation } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'
import { addRecent } from './recent-places.ts'

/** Sets the window title, and the name of the place in the palette's history. */
export function usePageTitle(title: string): void {
  const href = useLocation({ select: (location) => location.href })
  useEffect(() => name(title, href), [title, href])
}

/** Like `usePageTitle` for a parent page: runs first, so that the title of the item open in it wins. */
export function usePageName(title: string): void {
  const href = useLocation({ select: (location) => location.href })
  useLayoutEffect(() => name(title, href), [title, href])
}

function name(title: string, href: string): void {
  document.title = `${title} · Ken`
  addRecent({ href, title })
}
