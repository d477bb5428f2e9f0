import { outsideFences } from '../decision/sections.ts'
import { codePoints, ellipsis } from '../text.ts'

const MOST_ITEMS = 20
const LONGEST_ITEM = 300
const LONGEST_TOTAL = 2000

/** The bold names of the top-level bullets, for one line. */
export const stackNames = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^[-*] \*\*(.+?)\*\*/.exec(line)?.[1] ?? [])

/**
 * Headings and first-level items of stack.md (paragraphs where there are none), inside the limits; says what it left
 * out.
 */
export function stackOutline(text: string): string {
  const lines = text.split('\n')
  const open = outsideFences(lines)
  const visible = lines.filter((_, i) => open[i])
  const items = visible.filter((line) => /^#{2,6} /.test(line) || /^[-*+] |^\d+[.)] /.test(line))
  const source = items.some((line) => !line.startsWith('#'))
    ? items
    : visible.filter((line) => line.trim() !== '' && !line.startsWith('# '))
  const kept: string[] = []
  let total = 0
  for (const line of source) {
    const item = ellipsis(line.trimEnd(), LONGEST_ITEM)
    total += codePoints(item) + 1
    if (kept.length >= MOST_ITEMS || total > LONGEST_TOTAL) break
    kept.push(item)
  }
  const left = source.length - kept.length
  return [...kept, ...(left > 0 ? [`(+${left} more in stack.md)`] : [])].join('\n')
}
