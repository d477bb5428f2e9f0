import type { RefObject } from 'react'

/** Container for menus, choices and tooltips: inside a landmark, so that landmark navigation finds them. */
export const popups: RefObject<HTMLDivElement | null> = { current: null }
