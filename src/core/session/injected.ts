/** Everything Ken puts into an agent's context stands inside this tag, so that it is never harvested as something a person said. */
export const INJECTED_TAG = 'ken-context'

export function withoutInjected(text: string): string {
  return withoutTagged(text, INJECTED_TAG)
}

/** Removes every `<tag …>…</tag>`. A tag left open hides the rest only where the text begins with it: elsewhere a person may be quoting it. */
export function withoutTagged(text: string, tag: string): string {
  const close = `</${tag}>`
  let kept = ''
  let from = 0
  for (;;) {
    const open = indexOfOpening(text, tag, from)
    if (open === -1) return kept + text.slice(from)
    const end = text.indexOf(close, open)
    if (end === -1) return text.slice(0, open).trim() === '' ? kept : kept + text.slice(from)
    kept += text.slice(from, open)
    from = end + close.length
  }
}

function indexOfOpening(text: string, tag: string, from: number): number {
  for (let at = text.indexOf(`<${tag}`, from); at !== -1; at = text.indexOf(`<${tag}`, at + 1)) {
    const next = text.charAt(at + tag.length + 1)
    if (next === '>' || /\s/.test(next)) return at
  }
  return -1
}
