import { endsInsideFence, outsideFences } from '../decision/sections.ts'
import { strip } from '../text.ts'
import { shiftHeadings } from './markdown.ts'

/**
 * Joins parts into a rationale that reads back as it is: no heading of the decision file inside, no code fence left
 * open.
 */
export function plainRationale(parts: readonly string[]): string {
  const closed = parts
    .map(strip)
    .filter((part) => part !== '')
    .map(closeFence)
  const lines = closed.join('\n\n').split('\n')
  const open = outsideFences(lines)
  return lines.map((line, i) => (open[i] && /^## +Rejected Alternatives\s*$/.test(line) ? `#${line}` : line)).join('\n')
}

/** The same for a reason: `### ` would begin the next alternative, even inside a fence. */
export const plainReason = (text: string): string =>
  strip(closeFence(shiftHeadings(text, 1, 4)).replace(/^###(?=\s)/gm, ' ###'))

function closeFence(text: string): string {
  if (!endsInsideFence(text)) return text
  const mark = /^\s*(`{3,}|~{3,})/
  const opened = text
    .split('\n')
    .findLast((line, i, lines) => mark.test(line) && endsInsideFence(lines.slice(0, i + 1).join('\n')))
  return `${text}\n${mark.exec(opened ?? '```')![1]!}`
}
