import { html, type Child } from './elements.ts'
import { matchedRanges } from './full-text.ts'

/** A text with the search words highlighted. */
export function marked(text: string, words: readonly string[]): Child[] {
  const children: Child[] = []
  let done = 0
  for (const [from, to] of words.length === 0 ? [] : matchedRanges(text, words)) {
    children.push(text.slice(done, from), html('mark', {}, text.slice(from, to)))
    done = to
  }
  children.push(text.slice(done))
  return children.filter((child) => child !== '')
}
