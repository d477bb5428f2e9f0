import { createContext } from 'react'

/** Slot for the back link of a pane if there is room for only one pane: beside the page title. */
export const BackSlot = createContext<HTMLElement | null>(null)
