import { useState } from 'react'

interface Rows<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  readonly open: string | undefined
}

/**
 * The active row. It stays with its item when the list changes, and moves to the row in the URL when the URL changes.
 */
export function useActiveRow<T>({ items, keyOf, open }: Rows<T>): readonly [number, (index: number) => void] {
  const [place, setPlace] = useState<{ index: number; key: string | undefined; open: string | undefined }>({
    index: -1,
    key: undefined,
    open: undefined,
  })
  const wanted = open !== undefined && open !== place.open ? open : place.key
  const index = indexOf({ items, keyOf, wanted, near: place.index })
  const set = (to: number): void => {
    const item = items[to]
    setPlace({ index: to, key: item === undefined ? undefined : keyOf(item), open })
  }
  // The URL changed: the reader continues from its row.
  if (open !== place.open && (open === undefined || items[index] !== undefined))
    setPlace({ index, key: open ?? place.key, open })
  return [index, set]
}

function indexOf<T>({
  items,
  keyOf,
  wanted,
  near,
}: Pick<Rows<T>, 'items' | 'keyOf'> & { wanted: string | undefined; near: number }): number {
  const there = items[near]
  // Rows that are not loaded have no key yet.
  if (wanted === undefined || (there !== undefined && keyOf(there) === wanted)) return near
  const found = items.findIndex((item: T | undefined) => item !== undefined && keyOf(item) === wanted)
  return found >= 0 ? found : Math.min(near, items.length - 1)
}
