import { useEffect, useEffectEvent, useMemo } from 'react'
import { useStore } from '../../kit/store.ts'
import { KeyTable, type KeyBinding } from './key-table.ts'

export const keyTable = new KeyTable()

/**
 * Keys of a page or of a part of it, for as long as it is shown. `?` lists them. They are silent while somebody types,
 * unless they come with `mod`.
 */
export function useKeys(
  bindings: readonly KeyBinding[],
  { enabled = true, beneath = false }: { enabled?: boolean; beneath?: boolean } = {},
): void {
  const run = useEffectEvent((keys: string) => bindings.find((one) => one.keys === keys)?.run())
  // What is shown of them; their deeds are those of the latest render.
  const shape = JSON.stringify(bindings)
  useEffect(() => {
    if (!enabled) return
    const stable = JSON.parse(shape) as readonly Omit<KeyBinding, 'run'>[]
    return keyTable.add(
      stable.map((one) => ({ ...one, run: () => run(one.keys) })),
      { beneath },
    )
  }, [shape, enabled, beneath])
}

/** The keys that are active now, below their headings. */
export function useListedKeys(): ReadonlyMap<string, readonly KeyBinding[]> {
  const listed = useStore(keyTable.listed)
  return useMemo(() => Map.groupBy(listed, ({ group }) => group), [listed])
}
