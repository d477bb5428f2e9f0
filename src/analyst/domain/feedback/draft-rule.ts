import { ellipsis } from '../../../kernel/domain/text.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { saysNothing } from '../says-nothing.ts'

const LONGEST_RULE = 500
const LONGEST_QUESTION = 160

/** Placeholder for the rule that a person has to write. */
const UNSAID = '(say here what holds)'

/**
 * Drafts one line for RULES.md, in the person's words alone: text of the analyst or of a table never becomes a rule.
 */
export function templateRule({ question, reason }: { readonly question: string; readonly reason: string }): string {
  const asked = ellipsis(visibleLine(question), LONGEST_QUESTION)
  const said = ruleLine(reason)
  return ruleLine(`For questions like "${asked.replaceAll('"', "'")}": ${saysNothing(said) ? UNSAID : said}`)
}

/** Normalises a rule to one line, however it was typed. */
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
