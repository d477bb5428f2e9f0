import { createContext } from 'react'

/** Slot in the page head for the title and actions of the open chat. */
export const ChatPlace = createContext<HTMLElement | null>(null)
