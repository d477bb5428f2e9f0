export interface FrameBatch<T> {
  add(item: T): void
  /** Delivers pending items now. */
  flush(): void
  close(): void
}

// Maximum delay in milliseconds, because a hidden tab renders no frames.
const LATEST = 250

/** Batches items within one frame, so that a stream renders once per frame and not once per word. */
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
