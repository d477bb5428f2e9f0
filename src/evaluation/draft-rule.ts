import { ruleLine, templateRule } from '../analyst/domain/feedback/draft-rule.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { delimit, IS_DATA } from '../kernel/domain/text/delimit.ts'
import type { LanguageModel } from '../kernel/ports/language-model.ts'

/** The person's question, and their reason for the downvote. */
export interface RuleFacts {
  readonly question: string
  readonly reason: string
}

const SYSTEM = `A person voted an answer of a data analyst down and said why. Word the one rule that would have prevented it, for the file of rules that the analyst reads before every question.
One sentence in the language of the reason, at most 200 characters, general enough for other questions, with nothing in it that the person did not say. No heading, no list, no code, no quotes around it. Answer with the single word NONE if the reason holds no rule.
${IS_DATA}`

/**
 * One line for RULES.md. A model sees only the person's own words, never those of the analyst or a table; without a
 * model, or if it fails, the person's words are put into a fixed sentence.
 */
export async function draftRule(
  facts: RuleFacts,
  model: LanguageModel | undefined,
  signal: StopSignal,
): Promise<{ readonly rule: string; readonly model?: string }> {
  const plain = { rule: templateRule(facts) }
  if (model === undefined || facts.reason.trim() === '') return plain
  try {
    const said = await model.write({
      system: SYSTEM,
      prompt: [delimit('query', facts.question), delimit('passage', facts.reason)].join('\n\n'),
      maxTokens: 200,
      signal,
    })
    const rule = worded(said)
    return rule === undefined ? plain : { rule, model: model.id }
  } catch {
    return plain
  }
}

const LONGEST = 300

/** Undefined if it is not a single plain sentence: a manipulated model writes more than that. */
function worded(said: string): string | undefined {
  const text = said.trim().replace(/^"(.*)"$/s, '$1')
  const isPlain = text.length <= LONGEST && !/[\n<>`]|https?:|^#|\]\(/.test(text)
  return isPlain && text !== '' && !/^none\b/i.test(text) ? ruleLine(text) : undefined
}
