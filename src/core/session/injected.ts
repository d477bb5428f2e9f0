/**
 * Everything Ken puts into an agent's context stands inside this tag, so that it is never harvested as something a
 * person said. The name may carry a mark: `<ken-context-7f2x …>` is ended by `</ken-context-7f2x>` alone.
 */
export const INJECTED_TAG = 'ken-context'

export function withoutInjected(text: string): string {
  return withoutTagged(text, `${INJECTED_TAG}(?:-[0-9][0-9a-z]{3,})?`)
}

/**
 * Removes every `<tag …>…</tag>`; `tag` may be a pattern. A tag left open hides the rest only where the text begins
 * with it: elsewhere a person may be quoting it.
 */
export function withoutTagged(text: string, tag: string): string {
  const opening = new RegExp(`<(${tag})(?=[\\s>])`, 'g')
  let kept = ''
  let from = 0
  for (;;) {
    opening.lastIndex = from
    const found = opening.exec(text)
    if (found === null) return kept + text.slice(from)
    const close = `</${found[1]}>`
    const end = text.indexOf(close, found.index)
    if (end === -1) return text.slice(0, found.index).trim() === '' ? kept : kept + text.slice(from)
    kept += text.slice(from, found.index)
    from = end + close.length
  }
}
