import { INJECTED_TAG } from '../../../kernel/domain/trust/envelope.ts'

export function withoutInjected(text: string): string {
  const name = `${INJECTED_TAG}(?:-[0-9][0-9a-z]{3,})?`
  // Gemini CLI and Qwen Code escape the angle brackets in hook output.
  return withoutTagged(withoutTagged(text, name), name, ['&lt;', '&gt;'])
}

/**
 * Removes every `<tag …>…</tag>`; `tag` may be a pattern. An unclosed tag hides the rest only if the text begins with
 * it: elsewhere a person may be quoting it.
 */
export function withoutTagged(text: string, tag: string, [less, more]: readonly [string, string] = ['<', '>']): string {
  const opening = new RegExp(`${less}(${tag})(?=\\s|${more})`, 'g')
  let kept = ''
  let from = 0
  for (;;) {
    opening.lastIndex = from
    const found = opening.exec(text)
    if (found === null) return kept + text.slice(from)
    const close = `${less}/${found[1]}${more}`
    const end = text.indexOf(close, found.index)
    if (end === -1) return text.slice(0, found.index).trim() === '' ? kept : kept + text.slice(from)
    kept += text.slice(from, found.index)
    from = end + close.length
  }
}
