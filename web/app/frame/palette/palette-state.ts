import { Store } from '../../kit/store.ts'

/** Whether the palette is open, and what is typed into it. */
export const paletteState = new Store<{ readonly words: string } | undefined>(undefined)

/** Also where it is open: then these words stand in it. */
export const openPalette = (words = ''): void => paletteState.set({ words })
export const closePalette = (): void => paletteState.set(undefined)

/** Whether a key was meant for the palette that was opened and does not have the focus yet. */
export function typedEarly({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const open = paletteState.get()
  if (open === undefined || ctrlKey || metaKey || altKey || [...key].length !== 1) return false
  openPalette(open.words + key)
  return true
}
