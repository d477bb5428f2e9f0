import { useCallback, useState, type ReactNode } from 'react'

// Renders content before it is scrolled into view. The scroller is not the window, so `scrollMargin` is needed too.
const MARGIN = 800
const NEAR = { rootMargin: `${MARGIN}px 0px`, scrollMargin: `${MARGIN}px 0px` }

/** Renders its children only while they are near the viewport, and reserves their height. */
export const WhenNear = ({ height, children }: { height: number; children: ReactNode }) => {
  const [isNear, setNear] = useState(false)
  const [room, setRoom] = useState(height)
  const watch = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    // The observer answers after a paint; what is near by then would be seen to change its height.
    const { top, bottom } = element.getBoundingClientRect()
    setNear(bottom > -MARGIN && top < window.innerHeight + MARGIN)
    const watcher = new IntersectionObserver(([entry]) => {
      if (entry === undefined) return
      if (!entry.isIntersecting && element.offsetHeight > 0) setRoom(element.offsetHeight)
      setNear(entry.isIntersecting)
    }, NEAR)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return (
    <div ref={watch} style={isNear ? undefined : { minBlockSize: room }}>
      {isNear && children}
    </div>
  )
}
