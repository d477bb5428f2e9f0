import type { Chat } from '../analyst/domain/chat/chat.ts'
import { turnAnswer } from '../analyst/domain/chat/turn-answer.ts'
import type { Draft, Feedback } from '../analyst/domain/feedback/feedback.ts'
import { ruleLine, templateRule } from '../analyst/domain/feedback/rules-file.ts'
import { saysNothing } from '../analyst/domain/says-nothing.ts'
import type { AnalystState } from '../analyst/ports/analyst-state.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { ellipsis } from '../kernel/domain/text.ts'
import { delimit, IS_DATA } from '../kernel/domain/text/delimit.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { LanguageModel } from '../kernel/ports/language-model.ts'
import { draftTest } from './domain/draft-test.ts'

export interface DraftingParts {
  readonly state: AnalystState
  readonly clock: Clock
  /** Model that words the rule; undefined if none is configured. */
  readonly model: LanguageModel | undefined
  readonly signal: StopSignal
}

const LONGEST_TITLE = 100

/** Drafts from a downvote: a test and a rule that reference each other. Nothing is stored yet. */
export async function draftsOf(
  { state, clock, model, signal }: DraftingParts,
  { message, reason, at }: Pick<Feedback, 'message' | 'reason' | 'at'>,
  chat: Chat,
): Promise<readonly Draft[]> {
  const { question, answer, earlier } = await saidAround(state, chat.id, message)
  const statements = (await state.queries.list(chat.id)).filter((one) => one.message === message)
  const { rule } = await draftRule({ question, reason }, model, signal)
  const [ruleId, testId] = [clock.ulid(), clock.ulid()]
  const title = ellipsis(visibleLine(question), LONGEST_TITLE)
  const shared = {
    user: chat.user,
    project: chat.project,
    folder: chat.folder,
    from: { message, chat: chat.id },
    at,
  }
  return [
    { ...shared, id: ruleId, kind: 'rule', title: ellipsis(rule, LONGEST_TITLE), body: rule, siblings: [testId] },
    {
      ...shared,
      id: testId,
      kind: 'test',
      title,
      body: draftTest({ question, reason, answer, earlier, sql: statements.at(-1)?.sql, day: at.slice(0, 10) }),
      siblings: [ruleId],
    },
  ]
}

/** The person's question before an answer, their earlier messages, and the answer's text. */
export async function saidAround(
  state: AnalystState,
  chat: string,
  message: string,
): Promise<{ readonly question: string; readonly earlier: readonly string[]; readonly answer: string }> {
  const [messages, parts] = await Promise.all([state.log.messages(chat), state.log.parts(chat, 0)])
  const at = messages.findIndex(({ id }) => id === message)
  const asked = messages.slice(0, Math.max(0, at)).filter(({ role }) => role === 'user')
  const partsOf = (id: string) => parts.filter((one) => one.message === id).map(({ part }) => part)
  const said = asked.map(({ id }) =>
    partsOf(id)
      .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
      .join('\n'),
  )
  return {
    question: said.at(-1) ?? '',
    earlier: said.slice(0, -1),
    answer: turnAnswer(partsOf(message)).text,
  }
}

/** The person's question, and their reason for the downvote. */
interface RuleFacts {
  readonly question: string
  readonly reason: string
}

const SYSTEM = `A person voted an answer of a data analyst down and said why. Word the one rule that would have prevented it, for the file of rules that the analyst reads before every question.
One sentence in the language of the reason, at most 200 characters, general enough for other questions, with nothing in it that the person did not say. No heading, no list, no code, no quotes around it. Answer with the single word NONE if the reason holds no rule.
${IS_DATA}`

/**
 * One line for RULES.md. A model sees only the person's words, never text from the analyst or a table; without a model,
 * or if it fails, the person's words are put into a fixed sentence.
 */
async function draftRule(
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
  return isPlain && !saysNothing(text) && !/^none\b/i.test(text) ? ruleLine(text) : undefined
}
