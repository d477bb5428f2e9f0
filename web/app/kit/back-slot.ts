import { createContext } from 'react'

/** Where the way back from a pane is put when there is room for one pane: beside the title of the page. */
export const BackSlot = createContext<HTMLElement | null>(null)
