import { fieldNamed } from '../kernel/domain/named-operation.ts'
import { head } from '../kernel/domain/text.ts'
import { plainText } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import { type BringsBack, bringsBack } from './brings-back.ts'
import { decisionsNamed } from './domain/decision/decision-id.ts'
import { label } from './domain/decision/decision.ts'
import { LIMITS, textFault } from './domain/decision/screening.ts'
import { QUESTIONS } from './domain/files.ts'
import {
  addQuestion,
  isPointer,
  nextQuestionNumber,
  parseQuestions,
  questionNumber,
  stampQuestions,
} from './domain/question.ts'
import { numbersHere, writeNamed } from './named-decision.ts'
import type { Store } from './ports/store.ts'

export interface QuestionRequest {
  readonly question?: string | undefined
  readonly context?: string | undefined
  readonly targets?: readonly string[] | undefined
  readonly resolved_by?: string | undefined
}

export interface QuestionOutcome {
  status: 'ok' | 'rejected'
  num?: number
  resolved?: string[]
  hint?: string
  brings_back?: BringsBack
  error?: { kind: string; reason: string }
}

/** Records a question that a person must answer, or resolves open ones by a decision; never both in one call. */
export async function flagOrResolve(ctx: Call, store: Store, request: QuestionRequest): Promise<QuestionOutcome> {
  const { question, context, targets = [], resolved_by } = request
  const isFlag = question !== undefined && question.trim() !== ''
  if (isFlag === (resolved_by !== undefined))
    return rejected(`Give either ${fieldNamed('question')} or ${fieldNamed('resolved_by')}, not both and not neither.`)
  return isFlag
    ? flag(ctx, store, { question: plainText(question), context: context && plainText(context), targets })
    : resolve(ctx, store, targets, resolved_by!)
}

async function flag(
  ctx: Call,
  store: Store,
  input: { question: string; context?: string | undefined; targets: readonly string[] },
): Promise<QuestionOutcome> {
  const fault =
    textFault('question', input.question, LIMITS.question) ?? textFault('context', input.context ?? '', LIMITS.context)
  if (fault !== undefined) return rejected(fault)
  const body = input.context?.trim()
    ? `${input.question.trim()} (context: ${input.context.trim()})`
    : input.question.trim()
  const answer = await store.commit(ctx.origin, async (draft) => {
    const text = (await draft.read(QUESTIONS)) ?? ''
    const wanted = input.targets.map(questionNumber)
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
  // The question is already recorded: an error here would make the caller record it again.
  const hint = await addressedBy(store, body).catch(() => undefined)
  const back = await bringsBack(store, body).catch(() => undefined)
  return { ...answer, ...(hint !== undefined && { hint }), ...(back && { brings_back: back }) }
}

async function resolve(
  ctx: Call,
  store: Store,
  targets: readonly string[],
  resolvedBy: string,
): Promise<QuestionOutcome> {
  const [named, ...more] = decisionsNamed(resolvedBy)
  if (named === undefined || more.length > 0) return rejected(`"${resolvedBy}" is not one decision; write it like D42.`)
  if (targets.length === 0) return rejected(`Say which questions are resolved: ${fieldNamed('targets')} is empty.`)
  const numbers = await numbersHere(store)
  return store.commit(ctx.origin, async (draft) => {
    const meant = writeNamed(await draft.catalogue(), named.id, numbers)
    if (meant === undefined) return rejected(`There is no decision ${named.id}.`)
    if ('asks' in meant) return rejected(meant.asks)
    const { entry } = meant
    const number = entry.num
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

/**
 * Names a decision that may already answer the question. Only a strong hit counts: weaker hits would match everything.
 */
async function addressedBy(store: Store, question: string): Promise<string | undefined> {
  if (isPointer({ body: question })) return undefined
  const { hits } = await store.rank({ text: question, limit: 1, among: 'active', check: true })
  const [top] = hits
  return top !== undefined && top.verdict === 'strong'
    ? `${label(top.entry.num)} "${top.entry.title}" may already answer this.`
    : undefined
}

const rejected = (reason: string): QuestionOutcome & { status: 'rejected' } => ({
  status: 'rejected',
  error: { kind: 'rejected', reason },
})
