import { ellipsis } from '../../../kernel/domain/text.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { saysNothing } from '../says-nothing.ts'

/** Heading of rules learned from feedback. */
const HEADING = '## Learned from feedback'

/** Returns RULES.md with a rule added; unchanged if it already contains the rule. Every other byte stays as it is. */
export function withRule(text: string | undefined, rule: string): string {
  const eol = eolOf(text ?? '')
  const bullet = `- ${rule}`
  if (text === undefined || text.trim() === '') return ['# Rules', '', HEADING, '', bullet, ''].join(eol)
  const lines = linesOf(text)
  if (lines.some((line) => line.trim() === bullet)) return text
  const heading = headingAt(lines)
  if (heading < 0) return [ended(text, eol), HEADING, '', `${bullet}${eol}`].join(eol)
  const last = sectionEnd(lines, heading)
  const before = ended(lines.slice(0, last + 1).join(''), eol)
  return `${before}${last === heading ? eol : ''}${bullet}${eol}${lines.slice(last + 1).join('')}`
}

/** Returns RULES.md without a rule under the heading; undefined if the rule is missing. */
export function withoutRule(text: string, rule: string): string | undefined {
  const lines = linesOf(text)
  const heading = headingAt(lines)
  if (heading < 0) return undefined
  const last = sectionEnd(lines, heading)
  const at = lines.findIndex((line, i) => i > heading && i <= last && line.trim() === `- ${rule}`)
  if (at < 0) return undefined
  lines.splice(at, 1)
  if (sectionEnd(lines, heading) > heading) return lines.join('')
  // Removes the heading with the last rule under it, and the empty line that was added with each.
  const next = lines.findIndex((line, i) => i > heading && line.trim() !== '')
  const from = lines[heading - 1]?.trim() === '' ? heading - 1 : heading
  return [...lines.slice(0, from), ...(next < 0 ? [] : [eolOf(text), ...lines.slice(next)])].join('')
}

const eolOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? '\n'

const ended = (text: string, eol: string): string => (text.endsWith('\n') ? text : `${text}${eol}`)

/** Returns the lines, each with its line ending. */
const linesOf = (text: string): string[] => text.split(/(?<=\n)/)

const headingAt = (lines: readonly string[]): number => lines.findLastIndex((line) => line.trim() === HEADING)

/** Returns the last non-empty line of the section; the heading itself if the section is empty. */
function sectionEnd(lines: readonly string[], heading: number): number {
  const next = lines.findIndex((line, i) => i > heading && /^#{1,2}\s/.test(line))
  const end = next < 0 ? lines.length : next
  return lines.slice(0, end).findLastIndex((line, i) => i >= heading && line.trim() !== '')
}

const LONGEST_RULE = 500
const LONGEST_QUESTION = 160

/** Placeholder for the rule that a person has to write. */
const UNSAID = '(say here what holds)'

/**
 * Drafts one line for RULES.md, using only the person's words: text from the analyst or a table never becomes a rule.
 */
export function templateRule({ question, reason }: { readonly question: string; readonly reason: string }): string {
  const asked = ellipsis(visibleLine(question), LONGEST_QUESTION)
  const said = ruleLine(reason)
  return ruleLine(`For questions like "${asked.replaceAll('"', "'")}": ${saysNothing(said) ? UNSAID : said}`)
}

/** Normalises a rule to one line, regardless of how it was typed. */
export const ruleLine = (text: string): string =>
  ellipsis(
    visibleLine(text)
      .replace(/^(?:[-*+]|\d{1,3}[.)]|#{1,6})\s+/, '')
      .trim(),
    LONGEST_RULE,
  )

/** Returns why a rule cannot be applied; undefined if it can. */
export function ruleFault(text: string): string | undefined {
  if (saysNothing(text)) return 'The rule is empty.'
  return text.includes(UNSAID) ? 'The rule does not say yet what holds.' : undefined
}
