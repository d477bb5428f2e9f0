import { parseDocument } from 'yaml'
import type { Draft } from '../../analyst/domain/feedback/feedback.ts'
import { answerNamed } from '../../analyst/operations/answer-named.ts'
import { draftNamed, shortId } from '../../analyst/operations/draft-named.ts'
import { projectKey } from '../../analyst/operations/project-key.ts'
import type { AnalystState } from '../../analyst/ports/analyst-state.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import type { Given } from '../../operations/context.ts'
import { caseName } from '../domain/case-text.ts'
import { draftTest, isUnfinishedTest } from '../domain/draft-test.ts'
import { readCases } from '../domain/read-cases.ts'
import { saidAround } from '../draft-feedback.ts'

export interface RecordedFeedback {
  readonly text: string
  readonly name: string
  /** Pending draft in the inbox for the same feedback; settled once it is written. */
  readonly draft: Draft | undefined
  readonly notes: readonly string[]
}

/**
 * Converts a downvote into a draft case: the one pending in the inbox, as the person left it, or a new one if it was
 * settled or withdrawn.
 */
export async function recordFeedback(
  ctx: Given<'analyst'>,
  named: string,
  { name, taken }: { readonly name: string | undefined; readonly taken: ReadonlySet<string> },
): Promise<RecordedFeedback> {
  const state = await ctx.analystState()
  const waiting = await draftOf(ctx, named)
  if (waiting !== undefined) {
    const text = renamed(waiting.body, name, taken)
    return { text, name: namesIn(text)[0] ?? waiting.title, draft: waiting, notes: unfinished(text) }
  }
  const { chat, message } = await answerNamed(ctx, await messageOf(ctx, state, named))
  const [vote] = await state.feedback.votes({ message: message.id, user: ctx.user, limit: 1 })
  if (vote?.vote !== 'down')
    throw new AppError('not_found', 'That answer has no downvote.', {
      hint: `${operationNamed('feedback_list')} lists your votes; without one, name the chat instead.`,
    })
  const drafts = await state.feedback.inbox({ user: ctx.user, project: chat.project, kind: 'test' })
  const draft = drafts.find(({ from }) => from.message === message.id)
  if (draft !== undefined) return recordFeedback(ctx, draft.id, { name, taken })
  const { question, answer, earlier } = await saidAround(state, chat.id, message.id)
  const ran = (await state.queries.list(chat.id)).filter((one) => one.message === message.id)
  const own = name ?? caseName(question, taken)
  const text = draftTest({
    question,
    earlier,
    reason: vote.reason,
    sql: ran.at(-1)?.sql,
    answer,
    day: vote.at.slice(0, 10),
    name: own,
  })
  return { text, name: own, draft: undefined, notes: unfinished(text) }
}

const unfinished = (text: string): readonly string[] =>
  isUnfinishedTest(text) ? ['A draft is not run. Add the expected result, then remove the tag `draft`.'] : []

/** Undefined if no draft is named. */
async function draftOf(ctx: Given<'analyst'>, named: string): Promise<Draft | undefined> {
  if (named.toLowerCase() === 'last') return undefined
  const draft = await draftNamed(ctx, named).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
  if (draft === undefined) return undefined
  if (draft.kind !== 'test')
    throw new AppError('invalid_input', `${shortId(draft.id)} is a ${draft.kind}, not a test.`, {
      hint: `List drafts with ${operationNamed('inbox_list')}.`,
    })
  if (draft.project !== (await projectKey(ctx)))
    throw new AppError('not_found', `The test ${shortId(draft.id)} belongs to ${draft.folder}.`, {
      hint: 'Record it there.',
    })
  if (draft.settled === undefined) return draft
  throw new AppError('conflict', `The test ${shortId(draft.id)} was already ${draft.settled.how}.`, {
    hint: `Undo that with ${operationNamed('inbox_undo')}.`,
  })
}

/** Message by id; `last` is the newest downvote here. */
async function messageOf(ctx: Given, state: AnalystState, named: string): Promise<string> {
  if (named.toLowerCase() !== 'last') return named
  const here = await projectKey(ctx)
  for (const { vote, message } of await state.feedback.votes({ user: ctx.user, limit: MOST_VOTES }))
    if (vote === 'down' && (await state.chats.ofMessage(message, ctx.user))?.project === here) return message
  throw new AppError('not_found', 'No downvoted answers here yet.', {
    hint: `Vote with ${operationNamed('feedback')}.`,
  })
}

const MOST_VOTES = 200

/** Returns the text unchanged, including comments, except for a new name if requested or if the old one is taken. */
function renamed(text: string, name: string | undefined, taken: ReadonlySet<string>): string {
  const [own = ''] = namesIn(text)
  const wanted = name ?? caseName(own, taken)
  if (wanted === own || own === '') return text
  const document = parseDocument(text, { prettyErrors: false })
  document.setIn([0, 'name'], wanted)
  return document.toString({ lineWidth: 0 })
}

function namesIn(text: string): readonly string[] {
  const { cases, drafts } = readCases('draft.yaml', text)
  return [...cases.map(({ test }) => test.name), ...drafts.map((one) => one.name)]
}
