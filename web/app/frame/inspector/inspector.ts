import { Store } from '../../kit/store.ts'
import { Preference } from '../preferences/preference.ts'

/** Element that pages render details into; set by the frame, and null while the inspector is closed. */
export const inspectorSlot = new Store<HTMLElement | null>(null)

/** Number of parts with content. With none, the inspector is hidden. */
export const inspectorParts = new Store(0)

/** The inspector beside the page, if there is room. */
export const inspectorBeside = new Preference('inspector', ['open', 'closed'], 'open')

/** The inspector over the page, if there is no room beside it; opened by hand, never persisted. */
export const inspectorDrawer = new Store<'open' | 'closed'>('closed')
