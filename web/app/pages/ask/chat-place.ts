import { createContext } from 'react'

/** Where the chat that is open puts its name and what can be done with it: the head of the page. */
export const ChatPlace = createContext<HTMLElement | null>(null)
