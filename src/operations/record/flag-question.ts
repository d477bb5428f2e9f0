import { z } from 'zod'
import { decisionNumber } from '../../core/decision/decision-number.ts'
import { label } from '../../core/decision/decision.ts'
import { LIMITS, textFault } from '../../core/decision/screening.ts'
import {
  addQuestion,
  isPointer,
  nextQuestionNumber,
  parseQuestions,
  questionNumber,
} from '../../core/question/question.ts'
import { verdictOf } from '../../core/ranking/verdict.ts'
import { QUESTIONS } from '../../core/record/files.ts'
import { head } from '../../core/text.ts'
import { plainText } from '../../core/trust/visible.ts'
import type { Context } from '../../ports/context.ts'
import type { Store } from '../../ports/store.ts'
import { entryOf } from '../../record/read-decision.ts'
import { stampQuestions } from '../../record/stamp-questions.ts'
import { defineOperation, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

const rejected = (reason: string) => ({ status: 'rejected' as const, error: { kind: 'rejected', reason } })

export const flagQuestion = defineOperation({
  name: 'flag_question',
  title: 'Flag or resolve a question',
  summary:
    'Record a question that a person must answer, or resolve open ones by a decision. Give question or resolved_by, not both.',
  effect: 'write',
  words: 'record',
  positional: ['question'],
  input: {
    question: z.string().optional().describe('The question to flag.'),
    context: z.string().optional().describe('Why it matters.'),
    targets: z
      .array(z.string())
      .max(100)
      .optional()
      .describe('Question ids such as Q3: to resolve, or likely duplicates of a new one.'),
    resolved_by: z.string().optional().describe('Decision that resolves the targets, e.g. D42.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    status: z.enum(['ok', 'rejected']),
    num: z.number().optional(),
    resolved: z.array(z.string()).optional(),
    hint: z.string().optional(),
    error: z.object({ kind: z.string(), reason: z.string() }).optional(),
  },
  examples: [
    { title: 'A question', input: { question: 'Do we keep audit logs for two years?', context: 'Storage cost' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const isFlag = input.question !== undefined && input.question.trim() !== ''
    if (isFlag === (input.resolved_by !== undefined))
      return { ...whose(store), ...rejected('Give either a question or resolved_by, not both and not neither.') }
    const answer = isFlag
      ? await flag(ctx, store, {
          ...input,
          question: plainText(input.question!),
          context: input.context && plainText(input.context),
        })
      : await resolve(ctx, store, input.targets ?? [], input.resolved_by!)
    return { ...whose(store), ...answer }
  },
  own(output) {
    if (output.status === 'rejected') return output.error?.reason ?? 'Rejected.'
    return output.resolved !== undefined
      ? `Resolved: ${output.resolved.join(', ')}.`
      : `Question Q${output.num} flagged.`
  },
  render: (output) => output.hint ?? '',
})

async function flag(
  ctx: Context,
  store: Store,
  input: { question: string; context?: string | undefined; targets?: string[] | undefined },
) {
  const fault =
    textFault('question', input.question, LIMITS.question) ?? textFault('context', input.context ?? '', LIMITS.context)
  if (fault !== undefined) return rejected(fault)
  const body = input.context?.trim()
    ? `${input.question.trim()} (context: ${input.context.trim()})`
    : input.question.trim()
  const answer = await store.commit(ctx.origin, async (draft) => {
    const text = (await draft.read(QUESTIONS)) ?? ''
    const wanted = (input.targets ?? []).map(questionNumber)
    const answered = parseQuestions(text).find(
      (q) => q.number !== undefined && q.resolvedBy !== undefined && wanted.includes(q.number),
    )
    if (answered !== undefined)
      return rejected(
        `${answered.id} asks this and was resolved by ${label(answered.resolvedBy!.decision)}. Read that decision first.`,
      )
    const num = nextQuestionNumber(text)
    draft.write(QUESTIONS, addQuestion(text, num, body))
    draft.note('flag_question', { question: `Q${num}` })
    draft.snapshot(`question: ${head(input.question, 80)}`)
    return { status: 'ok' as const, num }
  })
  if (answer.status === 'rejected') return answer
  const hint = await addressedBy(store, body)
  return hint === undefined ? answer : { ...answer, hint }
}

async function resolve(ctx: Context, store: Store, targets: readonly string[], resolvedBy: string) {
  const number = decisionNumber(resolvedBy.trim())
  if (number === undefined) return rejected(`"${resolvedBy}" is no decision id; say it like D42.`)
  if (targets.length === 0) return rejected('Say which questions are resolved: targets is empty.')
  return store.commit(ctx.origin, async (draft) => {
    const entry = entryOf((await draft.catalogue()).decisions, number)
    if (entry === undefined) return rejected(`There is no decision ${label(number)}.`)
    if (entry.status !== 'active')
      return rejected(`${label(number)} is superseded by D${entry.superseded_by}; resolve by that one.`)
    const text = (await draft.read(QUESTIONS)) ?? ''
    const stamped = stampQuestions(text, targets, number, ctx.clock.now())
    if ('fault' in stamped) return rejected(stamped.fault)
    if (stamped.text !== text) {
      draft.write(QUESTIONS, stamped.text)
      draft.note('resolve_questions', { questions: stamped.ids, decision: number })
      draft.snapshot(`resolved by ${label(number)}: [${stamped.ids.join(', ')}]`)
    }
    return { status: 'ok' as const, resolved: stamped.ids }
  })
}

/** A strong hit means a decision may already answer the question. Weaker ones would fire on everything. */
async function addressedBy(store: Store, question: string): Promise<string | undefined> {
  if (isPointer({ body: question })) return undefined
  const { hits } = await store.rank({ text: question, limit: 1, among: 'active', check: true })
  const [top] = hits
  return top !== undefined && verdictOf(top) === 'strong'
    ? `${label(top.entry.num)} "${top.entry.title}" may already answer this.`
    : undefined
}
