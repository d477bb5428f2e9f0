/** Whether key presses on the element are text. */
export const takesText = (target: Element): boolean =>
  (target instanceof HTMLInputElement && !NO_TEXT.has(target.type)) ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLElement && target.isContentEditable)

const NO_TEXT = new Set(['button', 'checkbox', 'radio', 'range', 'reset', 'submit', 'color', 'file'])

/** Focuses a field that has just appeared, unless the keys of a person who types elsewhere would go into it. */
export function focusFirst(field: HTMLElement | null): void {
  const { activeElement } = document
  const isElsewhere = activeElement !== null && takesText(activeElement) && !activeElement.contains(field)
  if (!isElsewhere || field?.closest('[role="dialog"]') != null) field?.focus()
}
