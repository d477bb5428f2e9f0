/**
 * Runs `look` for everybody who asks. Whoever comes while it runs gets the run after it, shared with all who came
 * meanwhile: what they see was read after they asked, and a crowd costs two runs.
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
