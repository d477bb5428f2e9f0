import { z } from 'zod'
import { draftFault } from '../../evaluation/apply-draft.ts'
import { isUnfinishedTest } from '../../evaluation/domain/draft-test.ts'
import { saidAround } from '../../evaluation/draft-feedback.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { readDecisionDraft, readQuestionDraft } from '../domain/feedback/captured-draft.ts'
import { DRAFT_KINDS, type Draft } from '../domain/feedback/feedback.ts'
import { readMemoryDraft } from '../domain/user-memory/memory-draft.ts'
import { draftField, draftNamed, shortId } from './draft-named.ts'
import { projectKey } from './project-key.ts'

const draftRow = z.object({
  id: z.string(),
  kind: z.enum(DRAFT_KINDS),
  title: z.string(),
  why: z.string().describe('Its origin.'),
  siblings: z.array(z.string()),
  folder: z.string(),
  chat: z.string().optional().describe('The chat with the answer that led to it.'),
  message: z.string().optional(),
  session: z.string().optional().describe('The session that it was learned from.'),
  at: z.string(),
  settled: z.object({ how: z.enum(['applied', 'dismissed']), at: z.string(), where: z.string().optional() }).optional(),
})

type DraftRow = z.output<typeof draftRow>

export const inboxList = defineOperation({
  name: 'inbox_list',
  title: 'Inbox',
  summary: 'List drafted rules, tests, memories, decisions and questions pending review.',
  details:
    'Downvotes draft a test and a rule (`ken feedback`), sessions draft memories, and `ken catch-up` drafts decisions and questions. A draft has no effect until you apply it.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    kind: z.enum(DRAFT_KINDS).optional().describe('Only these.'),
    all: z.boolean().default(false).describe('Drafts of all projects, not only this one.'),
    settled: z.boolean().default(false).describe('Applied and dismissed drafts instead.'),
  },
  output: { drafts: z.array(draftRow) },
  examples: [{ title: 'Drafts pending review here', input: {} }],
  async run(ctx, input) {
    const { feedback } = await ctx.analystState()
    const drafts = await feedback.inbox({
      user: ctx.user,
      settled: input.settled,
      // A server serves only one project.
      ...(!(input.all && isPerson(ctx.origin)) && { project: await projectKey(ctx) }),
      ...(input.kind !== undefined && { kind: input.kind }),
    })
    const reasons = new Map<string, Promise<string>>()
    const why = (draft: Draft): Promise<string> => {
      const key = JSON.stringify([draft.kind, draft.from])
      if (!reasons.has(key)) reasons.set(key, whyOf(ctx, draft))
      return reasons.get(key)!
    }
    return { drafts: await Promise.all(drafts.map(async (draft) => rowOf(draft, await why(draft)))) }
  },
  render: ({ drafts }, input, view = PLAIN) =>
    drafts.length === 0
      ? input.settled
        ? 'No drafts applied or dismissed yet.'
        : 'No drafts pending review.'
      : [
          ...drafts.map((one) =>
            [
              `${view.mark('title', shortId(one.id))}  ${one.kind.padEnd(8)}  ${one.title}`,
              `        ${view.mark('dim', one.settled === undefined ? one.why : `${settledWords(one.settled)}; ${one.why}`)}`,
            ].join('\n'),
          ),
          ...(input.settled
            ? []
            : [
                `${operationNamed('inbox_show')}, ${operationNamed('inbox_apply')}, ${operationNamed('inbox_edit')} and ${operationNamed('inbox_dismiss')} take one of these ids.`,
              ]),
        ].join('\n'),
})

export const inboxShow = defineOperation({
  name: 'inbox_show',
  title: 'Show a draft',
  summary: 'Show what a draft would write, and its origin.',
  effect: 'read',
  words: 'analyst',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['draft'],
  input: { draft: draftField },
  output: {
    ...draftRow.shape,
    body: z.string(),
    problem: z.string().optional().describe('Why it cannot be applied yet.'),
    unfinished: z.boolean().describe('A test without an expected result.'),
    evidence: z
      .object({
        question: z.string().optional(),
        answer: z.string().optional(),
        sql: z.array(z.string()),
        words: z
          .string()
          .optional()
          .describe('The user’s words: the reason for a vote, or the message it was learned from.'),
      })
      .describe('The evidence, quoted.'),
  },
  examples: [{ title: 'The newest', input: { draft: 'last' } }],
  async run(ctx, input) {
    const draft = await draftNamed(ctx, input.draft)
    const problem = draftFault(draft)
    return {
      ...rowOf(draft, await whyOf(ctx, draft)),
      body: draft.body,
      ...(problem !== undefined && { problem }),
      unfinished: draft.kind === 'test' && isUnfinishedTest(draft.body),
      evidence: await evidenceOf(ctx, draft),
    }
  },
  render: (output, _input, view = PLAIN) =>
    [
      `${view.mark('title', `${output.kind} ${shortId(output.id)}`)}  ${output.why}`,
      ...(output.settled === undefined ? [] : [settledWords(output.settled)]),
      '',
      output.body.trimEnd(),
      '',
      ...(output.siblings.length === 0 ? [] : [`Drafted with ${output.siblings.map(shortId).join(', ')}.`]),
      ...(output.problem === undefined ? [] : [view.mark('warning', output.problem)]),
    ]
      .join('\n')
      .trimEnd(),
})

const rowOf = ({ id, kind, title, siblings, folder, from, at, settled }: Draft, why: string): DraftRow => ({
  id,
  kind,
  title,
  why,
  siblings: [...siblings],
  folder,
  ...(from.chat !== undefined && { chat: from.chat }),
  ...(from.message !== undefined && { message: from.message }),
  ...(from.session !== undefined && { session: from.session }),
  at,
  ...(settled !== undefined && {
    settled: { how: settled.how, at: settled.at, ...(settled.where !== undefined && { where: settled.where }) },
  }),
})

const settledWords = ({ how, at, where }: NonNullable<DraftRow['settled']>): string =>
  `${how} ${at.slice(0, 10)}${where === undefined ? '' : how === 'applied' ? ` to ${where}` : `: ${where}`}`

/** Origin of a draft in the person's words: their question, and their comment on the answer. */
async function whyOf(ctx: Given<'analyst'>, { kind, from }: Draft): Promise<string> {
  const state = await ctx.analystState()
  if (from.session !== undefined) return `${kind === 'memory' ? 'learned ' : ''}from the session ${from.session}`
  if (from.message === undefined || from.chat === undefined) return 'drafted for you'
  const [vote] = await state.feedback.votes({ message: from.message, user: ctx.user, limit: 1 })
  const { question } = await saidAround(state, from.chat, from.message)
  const asked = ellipsis(visibleLine(question), 100)
  if (vote === undefined) return `from the answer to "${asked}"`
  const said = ellipsis(visibleLine(vote.reason), 200)
  return `you voted the answer to "${asked}" ${vote.vote}${said === '' ? '' : `: ${said}`}`
}

const LONGEST_SAID = 4_000

async function evidenceOf(
  ctx: Given<'analyst'>,
  { kind, body, from }: Draft,
): Promise<{ question?: string; answer?: string; sql: string[]; words?: string }> {
  const learned = kind === 'memory' ? readMemoryDraft(body)?.evidence.words : undefined
  const quote = (readDecisionDraft(body) ?? readQuestionDraft(body))?.evidence.quote
  const words = learned ?? (kind === 'decision' || kind === 'question' ? quote : undefined)
  if (words !== undefined) return { sql: [], words: ellipsis(words, LONGEST_SAID) }
  if (from.chat === undefined || from.message === undefined) return { sql: [] }
  const state = await ctx.analystState()
  const [{ question, answer }, queries, [vote]] = await Promise.all([
    saidAround(state, from.chat, from.message),
    state.queries.list(from.chat),
    state.feedback.votes({ message: from.message, user: ctx.user, limit: 1 }),
  ])
  return {
    question: ellipsis(question, LONGEST_SAID),
    answer: ellipsis(answer, LONGEST_SAID),
    sql: queries.filter(({ message }) => message === from.message).map(({ sql }) => ellipsis(sql, LONGEST_SAID)),
    ...(vote !== undefined && vote.reason !== '' && { words: ellipsis(vote.reason, LONGEST_SAID) }),
  }
}
