import { Store } from '../../kit/store.ts'
import { Preference } from '../preferences/preference.ts'

/** Where pages put what they know of the thing that is open; the frame gives it, and takes it away when it is closed. */
export const inspectorSlot = new Store<HTMLElement | null>(null)

/** How many parts have something to say. With none, the inspector is not there. */
export const inspectorParts = new Store(0)

/** Beside the page, where there is room for it. */
export const inspectorBeside = new Preference('inspector', ['open', 'closed'], 'open')

/** Over the page, where there is not: opened by hand, never kept. */
export const inspectorDrawer = new Store<'open' | 'closed'>('closed')
