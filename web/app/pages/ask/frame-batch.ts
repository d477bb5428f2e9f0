export interface FrameBatch<T> {
  add(item: T): void
  /** What waits is taken now. */
  flush(): void
  close(): void
}

// In a tab that nobody sees no frame is ever drawn.
const LATEST = 250

/** Gathers what comes within one frame, so that a stream of words is drawn once for each and not once for every word. */
export function openFrameBatch<T>(take: (items: readonly T[]) => void): FrameBatch<T> {
  let waiting: T[] = []
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const settle = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    timer = undefined
  }
  const flush = (): void => {
    settle()
    const items = waiting
    waiting = []
    if (items.length > 0) take(items)
  }
  return {
    add(item) {
      waiting.push(item)
      if (timer !== undefined) return
      frame = requestAnimationFrame(flush)
      timer = setTimeout(flush, LATEST)
    },
    flush,
    close() {
      settle()
      waiting = []
    },
  }
}
