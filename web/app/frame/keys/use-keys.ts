import { useEffect, useEffectEvent, useMemo } from 'react'
import { useStore } from '../../kit/store.ts'
import { KeyTable, type KeyBinding } from './key-table.ts'

export const keyTable = new KeyTable()

/**
 * Keys of a page or of a part of it, while it is shown. `?` lists them. They are inactive while typing, unless they use
 * `mod`.
 */
export function useKeys(
  bindings: readonly KeyBinding[],
  { enabled = true, beneath = false }: { enabled?: boolean; beneath?: boolean } = {},
): void {
  const run = useEffectEvent((keys: string) => bindings.find((one) => one.keys === keys)?.run())
  // Serialised without their functions, which come from the latest render.
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

/** The active keys, by heading. */
export function useListedKeys(): ReadonlyMap<string, readonly KeyBinding[]> {
  const listed = useStore(keyTable.listed)
  return useMemo(() => Map.groupBy(listed, ({ group }) => group), [listed])
}
