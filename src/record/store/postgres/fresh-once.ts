/**
 * Shares runs of `look` between callers. A caller that arrives during a run gets the next one, shared with all others
 * that arrived meanwhile: results are read after the call, and any number of callers costs two runs.
 */
export function freshOnce<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const run = (): Promise<T> => {
    const mine = look().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }
  return () => {
    if (running === undefined) return run()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return run()
      })
    return next
  }
}
