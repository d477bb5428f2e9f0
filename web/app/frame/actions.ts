import { useEffect, useEffectEvent } from 'react'
import type { IconName } from '../kit/icon.tsx'
import { Store } from '../kit/store.ts'

/** An action in the palette. */
export interface PaletteAction {
  readonly name: string
  readonly run: () => void
  /** Other search terms. */
  readonly also?: string
  readonly icon?: IconName
  /** Keyboard shortcut. */
  readonly keys?: string
}

export const actions = new Store<readonly PaletteAction[]>([])

/** Adds actions of a page to the palette while the page is shown. */
export function useActions(mine: readonly PaletteAction[]): void {
  const run = useEffectEvent((name: string) => mine.find((one) => one.name === name)?.run())
  const shape = JSON.stringify(mine)
  useEffect(() => {
    const stable = JSON.parse(shape) as readonly Omit<PaletteAction, 'run'>[]
    const added = stable.map((one) => ({ ...one, run: () => run(one.name) }))
    // Page actions precede frame actions, which were added first.
    actions.set([...added, ...actions.get()])
    return () => actions.set(actions.get().filter((one) => !added.includes(one)))
  }, [shape])
}
