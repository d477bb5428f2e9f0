import type { RefObject } from 'react'

/** Where menus, choices and tooltips are put: inside of a landmark, so that those who go by landmarks find them. */
export const popups: RefObject<HTMLDivElement | null> = { current: null }
