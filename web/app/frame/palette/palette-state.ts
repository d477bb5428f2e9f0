import { Store } from '../../kit/store.ts'

/** Whether the palette is open, and what stands in it to begin with. */
export const paletteState = new Store<{ readonly words: string } | undefined>(undefined)

export const openPalette = (words = ''): void => paletteState.set({ words })
export const closePalette = (): void => paletteState.set(undefined)
