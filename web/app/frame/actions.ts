import { useEffect, useEffectEvent } from 'react'
import type { IconName } from '../kit/icon.tsx'
import { Store } from '../kit/store.ts'

/** Something that can be done from the palette. */
export interface PaletteAction {
  readonly name: string
  readonly run: () => void
  /** Other words that somebody may look for it by. */
  readonly also?: string
  readonly icon?: IconName
  /** The key that does the same. */
  readonly keys?: string
}

export const actions = new Store<readonly PaletteAction[]>([])

/** Actions of a page, in the palette for as long as the page is shown. */
export function useActions(mine: readonly PaletteAction[]): void {
  const run = useEffectEvent((name: string) => mine.find((one) => one.name === name)?.run())
  const shape = JSON.stringify(mine)
  useEffect(() => {
    const stable = JSON.parse(shape) as readonly Omit<PaletteAction, 'run'>[]
    const added = stable.map((one) => ({ ...one, run: () => run(one.name) }))
    // Those of a page stand before those of the frame, which was there first.
    actions.set([...added, ...actions.get()])
    return () => actions.set(actions.get().filter((one) => !added.includes(one)))
  }, [shape])
}
