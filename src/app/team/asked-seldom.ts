/** Calls at most once per interval, and returns the same answer to all callers meanwhile. */
export function askedSeldom<T>(ask: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly at: number } | undefined
  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at >= milliseconds) last = { answer: ask(), at: now }
    return last.answer
  }
}
