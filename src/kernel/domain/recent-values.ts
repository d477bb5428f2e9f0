export interface RecentValues<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
}

/** Remembers the `most` values that were last asked for or set. */
export function rememberRecent<T>(most: number): RecentValues<T> {
  // A map keeps its keys in the order they came, so the first is the one unused for longest.
  const values = new Map<string, T>()
  const set = (key: string, value: T): void => {
    values.delete(key)
    values.set(key, value)
    if (values.size > most) values.delete(values.keys().next().value!)
  }
  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
  }
}
