/** Asks at most once in so many milliseconds, and gives everybody who comes meanwhile the same answer. */
export function askedSeldom<T>(ask: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly at: number } | undefined
  return () => {
    const now = performance.now()
    if (last === undefined || now - last.at >= milliseconds) last = { answer: ask(), at: now }
    return last.answer
  }
}
