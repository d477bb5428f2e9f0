import { z } from 'zod'
import { draftsOf, saidAround } from '../../evaluation/draft-feedback.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { noneYet } from '../../kernel/domain/phrases.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { DRAFT_KINDS, type Draft, type Feedback, type GivenFeedback } from '../domain/feedback/feedback.ts'
import { answerNamed, looksLikeId } from './answer-named.ts'
import { shortId } from './draft-named.ts'

const VOTES = ['up', 'down'] as const
const GIVEN = [...VOTES, 'none'] as const
const LONGEST_REASON = 4_000
// Milliseconds: a person is waiting, and a template is as good as a late wording.
const WORDING_PATIENCE = 10_000

const draftLine = z.object({ id: z.string(), kind: z.enum(DRAFT_KINDS), title: z.string() })

export const feedback = defineOperation({
  name: 'feedback',
  title: 'Say what you think of an answer',
  summary: 'Vote an answer up or down, or withdraw the vote.',
  details:
    'The last answer here unless you name one by its id. A second vote on an answer replaces the first. A downvote drafts a test and a rule into your inbox, where they wait until you apply, edit or dismiss them (`ken inbox`); voting up instead, or none, withdraws those that still wait.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['vote', 'message', 'reason'],
  input: {
    vote: z.enum(GIVEN),
    message: z
      .string()
      .min(1)
      .max(LONGEST_REASON)
      .optional()
      .describe('Id of the answer or its chat; default: the last answer.'),
    reason: z
      .string()
      .max(LONGEST_REASON)
      .optional()
      .describe('The reason in your words: what is wrong, or what would be right.'),
  },
  output: {
    message: z.string(),
    chat: z.string(),
    vote: z.enum(GIVEN),
    reason: z.string(),
    question: z.string(),
    replaced: z.enum(VOTES).optional(),
    drafts: z.array(draftLine),
    withdrawn: z.number(),
    applied: z.array(draftLine).describe('Drafts of an earlier vote that are in effect.'),
  },
  examples: [
    { title: 'The last answer was right', input: { vote: 'up' } },
    { title: 'It was wrong, and why', input: { vote: 'down', message: 'last', reason: 'Revenue is net of refunds.' } },
    { title: 'Take the vote back', input: { vote: 'none' } },
  ],
  async run(ctx, input) {
    const { named, reason } = coerceInput(input)
    const { chat, message } = await answerNamed(ctx, named)
    const state = await ctx.analystState()
    const [before] = await state.feedback.votes({ message: message.id, user: ctx.user, limit: 1 })
    const [waiting, settled] = await Promise.all([
      state.feedback.inbox({ user: ctx.user }),
      state.feedback.inbox({ user: ctx.user, settled: true }),
    ])
    const isOfIt = ({ from }: Draft): boolean => from.message === message.id
    const old = waiting.filter(isOfIt)
    const vote: GivenFeedback = {
      message: message.id,
      chat: chat.id,
      user: ctx.user,
      vote: input.vote,
      reason,
      at: ctx.clock.now().toISOString(),
    }
    // A repeated vote counts once; its draft may have been edited since.
    const isSame =
      vote.vote === 'none'
        ? before === undefined
        : before?.vote === vote.vote && before.reason === reason && (vote.vote === 'up' || old.length > 0)
    const drafts = isSame || vote.vote !== 'down' ? [] : await drafted(ctx, { ...vote, vote: vote.vote }, chat)
    if (!isSame) await state.feedback.give(vote, drafts)
    const { question } = await saidAround(state, chat.id, message.id)
    return {
      message: message.id,
      chat: chat.id,
      vote: vote.vote,
      reason,
      question: ellipsis(visibleLine(question), 200),
      ...(before !== undefined && !isSame && { replaced: before.vote }),
      drafts: (isSame ? old : drafts).map(asLine),
      withdrawn: isSame ? 0 : old.length,
      applied: settled.filter((one) => isOfIt(one) && one.settled?.how === 'applied').map(asLine),
    }
  },
  render: (output) =>
    [
      output.vote === 'none'
        ? `No vote on the answer to "${output.question}" any more.`
        : `Noted: ${output.vote === 'up' ? 'a good answer' : 'a bad answer'} to "${output.question}".`,
      ...(output.drafts.length === 0
        ? []
        : [
            'Drafted, and waiting for you:',
            ...output.drafts.map((one) => `  ${shortId(one.id)}  ${one.kind}  ${one.title}`),
            `Look at them with ${operationNamed('inbox_list')}; nothing is in effect until you apply it.`,
          ]),
      ...(output.withdrawn > 0
        ? [
            `${plural(output.withdrawn, 'draft')} of your earlier vote ${output.withdrawn === 1 ? 'is' : 'are'} withdrawn.`,
          ]
        : []),
      ...(output.vote !== 'down' && output.applied.length > 0
        ? [
            `Still in effect from your earlier vote: ${output.applied.map(({ id }) => shortId(id)).join(', ')}; ${operationNamed('inbox_undo')} takes one back.`,
          ]
        : []),
    ].join('\n'),
})

const asLine = ({ id, kind, title }: Draft): z.output<typeof draftLine> => ({ id, kind, title })

/** Accepts `ken feedback down "wrong month"` without a message: text that is not an id is the reason. */
function coerceInput({ message = 'last', reason }: { message?: string | undefined; reason?: string | undefined }): {
  readonly named: string
  readonly reason: string
} {
  const isNamed = message === 'last' || looksLikeId(message)
  if (isNamed) return { named: message, reason: (reason ?? '').trim() }
  if (reason === undefined) return { named: 'last', reason: message.trim() }
  throw new AppError('invalid_input', `"${visibleLine(message).slice(0, 60)}" is not an answer id.`, {
    hint: 'Use `last`, or quote the whole reason.',
  })
}

async function drafted(
  ctx: Given<'analyst'>,
  vote: Feedback,
  chat: Parameters<typeof draftsOf>[2],
): Promise<readonly Draft[]> {
  const state = await ctx.analystState()
  const model = await ctx.models.language().catch(() => undefined)
  const started = ctx.clock.now().getTime()
  const signal = AbortSignal.timeout(WORDING_PATIENCE)
  const drafts = await draftsOf({ state, clock: ctx.clock, model, signal }, vote, chat)
  if (model !== undefined && vote.reason !== '')
    await state.calls.keep({
      id: ctx.clock.ulid(),
      user: ctx.user,
      project: chat.project,
      chat: chat.id,
      message: vote.message,
      purpose: 'draft',
      model: model.id,
      usage: { input: 0, output: 0, cached: 0, reasoning: 0 },
      milliseconds: ctx.clock.now().getTime() - started,
      failed: signal.aborted,
      at: vote.at,
    })
  return drafts
}

export const feedbackList = defineOperation({
  name: 'feedback_list',
  title: 'Votes on answers',
  summary: 'List your votes on answers, newest first.',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    vote: z.enum(VOTES).optional().describe('Only these.'),
    chat: z.string().max(100).optional().describe('Only votes in this chat.'),
    limit: z.number().int().min(1).max(500).default(50),
  },
  output: {
    votes: z.array(
      z.object({
        message: z.string(),
        chat: z.string(),
        vote: z.enum(VOTES),
        reason: z.string(),
        question: z.string(),
        at: z.string(),
      }),
    ),
    up: z.number(),
    down: z.number(),
  },
  examples: [{ title: 'All of them', input: {} }],
  async run(ctx, input) {
    const state = await ctx.analystState()
    const all = await state.feedback.votes({
      user: ctx.user,
      limit: MOST_VOTES,
      ...(input.chat !== undefined && { chat: input.chat }),
    })
    const wanted = all.filter(({ vote }) => input.vote === undefined || vote === input.vote).slice(0, input.limit)
    const votes = await Promise.all(
      wanted.map(async ({ message, chat, vote, reason, at }) => {
        const { question } = await saidAround(state, chat, message)
        return { message, chat, vote, reason, question: ellipsis(visibleLine(question), 200), at }
      }),
    )
    const count = (wished: Feedback['vote']): number => all.filter(({ vote }) => vote === wished).length
    return { votes, up: count('up'), down: count('down') }
  },
  render: ({ votes, up, down }, _input, view = PLAIN) =>
    votes.length === 0
      ? noneYet('votes')
      : [
          ...votes.map(
            (one) =>
              `${view.mark('dim', one.at.slice(0, 10))}  ${view.mark(one.vote === 'up' ? 'good' : 'bad', one.vote.padEnd(4))}  ${one.question}${one.reason === '' ? '' : `\n            ${visibleLine(one.reason)}`}`,
          ),
          `${up} up, ${down} down`,
        ].join('\n'),
})

const MOST_VOTES = 10_000
