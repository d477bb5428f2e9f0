import { ellipsis } from '../../../kernel/domain/text.ts'

const LONGEST = 160
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/
const HEADING = /^\s*#{1,6}\s/
const LABEL = /^[*_\s]*(?:cons|pros and cons|disadvantages|drawbacks|negative)[*_:\s]*$/i

/** The reason of a rejection as part of a line: its first sentence, without the list that an ADR wrote it as. */
export function briefReason(reason: string): string {
  const parts: string[] = []
  let continues = false
  for (const line of reason.split('\n')) {
    const words = line.replace(ITEM, '').trim()
    if (words === '' || HEADING.test(line) || LABEL.test(words)) continues = false
    else if (continues && !ITEM.test(line)) parts.push(`${parts.pop()} ${words}`)
    else {
      parts.push(words)
      continues = true
    }
  }
  const text = parts.find((part) => !/^\W*good,? because/i.test(part)) ?? parts[0] ?? reason
  return ellipsis(
    text
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?])\s/)[0]!
      .replace(/\.$/, ''),
    LONGEST,
  )
}
