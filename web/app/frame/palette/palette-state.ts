import { Store } from '../../kit/store.ts'

/** Undefined if closed; otherwise the text in the palette. */
export const paletteState = new Store<{ readonly words: string } | undefined>(undefined)

/** Opens the palette, or replaces its text if it is already open. */
export const openPalette = (words = ''): void => paletteState.set({ words })
export const closePalette = (): void => paletteState.set(undefined)

/** Whether a key is for a palette that is open but not focused yet. */
export function typedEarly({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const open = paletteState.get()
  if (open === undefined || ctrlKey || metaKey || altKey || [...key].length !== 1) return false
  openPalette(open.words + key)
  return true
}
