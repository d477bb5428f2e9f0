import { useCallback, useState, type ReactNode } from 'react'

// Somebody who scrolls finds it drawn. What is scrolled is not the window, so its own margin is the one that counts.
const NEAR = { rootMargin: '800px 0px', scrollMargin: '800px 0px' }

/** Draws something only while it is near what is seen; its room stays as high as it was. */
export const WhenNear = ({ height, children }: { height: number; children: ReactNode }) => {
  const [isNear, setNear] = useState(false)
  const [room, setRoom] = useState(height)
  const watch = useCallback((element: HTMLElement | null) => {
    if (element === null) return
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
