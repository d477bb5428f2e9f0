export interface RecentValues<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  drop(key: string): void
}

/** Remembers the `most` values last read or set. */
export function rememberRecent<T>(most: number): RecentValues<T> {
  // A map keeps insertion order, so the first key is the least recently used.
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
    drop: (key) => void values.delete(key),
  }
}
