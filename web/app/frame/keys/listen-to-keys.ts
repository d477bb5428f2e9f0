import { takesText } from '../../kit/first-focus.ts'
import { keyPress } from './key-press.ts'
import type { KeyTable } from './key-table.ts'

/** Connects the page's keyboard events to the table, except those that `takes` handles. */
export function listenToKeys(table: KeyTable, takes: (event: KeyboardEvent) => boolean): () => void {
  const listen = (event: KeyboardEvent): void => {
    // Handled by the focused element, or part of a composition.
    if (event.defaultPrevented || event.isComposing) return
    const target = event.target instanceof Element ? event.target : document.body
    const key = keyPress(event)
    if (key === undefined || target.closest(OVERLAY) !== null) return
    if (takes(event)) return event.preventDefault()
    const found = table.press(key, {
      isTyping: takesText(target),
      isOnControl: target.closest(CONTROLS) !== null,
      now: event.timeStamp,
    })
    if (found === undefined) return
    event.preventDefault()
    if (found !== 'begun') found.run()
  }
  window.addEventListener('keydown', listen)
  return () => window.removeEventListener('keydown', listen)
}

/** Overlays have their own keys; page keys would act on the content below. */
export const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"]'
const CONTROLS = 'a[href], button, summary, [role="button"], [role="tab"], [role="option"], [role="switch"], input'
