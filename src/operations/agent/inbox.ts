import { z } from 'zod'
import { draftFault } from '../../agent/apply-draft.ts'
import { saidAround } from '../../agent/draft-feedback.ts'
import { DRAFT_KINDS, type Draft } from '../../core/feedback/feedback.ts'
import { operationNamed } from '../../core/named-operation.ts'
import { ellipsis } from '../../core/text.ts'
import { visibleLine } from '../../core/trust/visible.ts'
import { PLAIN } from '../../core/view/view.ts'
import type { Context } from '../../ports/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../operation.ts'
import { draftField, draftNamed, shortId } from './draft-named.ts'
import { projectKey } from './project-key.ts'

const draftRow = z.object({
  id: z.string(),
  kind: z.enum(DRAFT_KINDS),
  title: z.string(),
  why: z.string().describe('What it came of.'),
  siblings: z.array(z.string()),
  folder: z.string(),
  at: z.string(),
  settled: z.object({ how: z.enum(['applied', 'dismissed']), at: z.string(), where: z.string().optional() }).optional(),
})

type DraftRow = z.output<typeof draftRow>

export const inboxList = defineOperation({
  name: 'inbox_list',
  title: 'What waits for your yes',
  summary: 'Rules, tests and memories that were drafted for you and wait until you apply or dismiss them.',
  details:
    'Downvotes draft a test and a rule (`ken feedback`), and learning from sessions drafts memories. Nothing of it is in effect before you apply it.',
  effect: 'read',
  words: 'analyst',
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    kind: z.enum(DRAFT_KINDS).optional().describe('Only these.'),
    all: z.boolean().default(false).describe('Of all projects, not only of the one here.'),
    settled: z.boolean().default(false).describe('Those that were applied or dismissed instead.'),
  },
  output: { drafts: z.array(draftRow) },
  examples: [{ title: 'What waits here', input: {} }],
  async run(ctx, input) {
    const { feedback } = await ctx.analystState()
    const drafts = await feedback.inbox({
      user: ctx.user,
      settled: input.settled,
      // A server answers for one project alone.
      ...(!(input.all && ctx.origin.surface === 'cli') && { project: await projectKey(ctx) }),
      ...(input.kind !== undefined && { kind: input.kind }),
    })
    const reasons = new Map<string, Promise<string>>()
    const why = (draft: Draft): Promise<string> => {
      const key = JSON.stringify(draft.from)
      if (!reasons.has(key)) reasons.set(key, whyOf(ctx, draft))
      return reasons.get(key)!
    }
    return { drafts: await Promise.all(drafts.map(async (draft) => rowOf(draft, await why(draft)))) }
  },
  render: ({ drafts }, input, view = PLAIN) =>
    drafts.length === 0
      ? input.settled
        ? 'Nothing was applied or dismissed yet.'
        : 'Nothing waits for you.'
      : [
          ...drafts.map((one) =>
            [
              `${view.mark('title', shortId(one.id))}  ${one.kind.padEnd(6)}  ${one.title}`,
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
  summary: 'One draft of the inbox: what it would write, and what it came of.',
  effect: 'read',
  words: 'analyst',
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['draft'],
  input: { draft: draftField },
  output: { ...draftRow.shape, body: z.string(), problem: z.string().optional() },
  examples: [{ title: 'The newest', input: { draft: 'last' } }],
  async run(ctx, input) {
    const draft = await draftNamed(ctx, input.draft)
    const problem = draftFault(draft)
    return {
      ...rowOf(draft, await whyOf(ctx, draft)),
      body: draft.body,
      ...(problem !== undefined && { problem }),
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

const rowOf = ({ id, kind, title, siblings, folder, at, settled }: Draft, why: string): DraftRow => ({
  id,
  kind,
  title,
  why,
  siblings: [...siblings],
  folder,
  at,
  ...(settled !== undefined && {
    settled: { how: settled.how, at: settled.at, ...(settled.where !== undefined && { where: settled.where }) },
  }),
})

const settledWords = ({ how, at, where }: NonNullable<DraftRow['settled']>): string =>
  `${how} ${at.slice(0, 10)}${where === undefined ? '' : how === 'applied' ? ` to ${where}` : `: ${where}`}`

/** In the words of the person: what they asked, and what they said of the answer. */
async function whyOf(ctx: Context, { from }: Draft): Promise<string> {
  const state = await ctx.analystState()
  if (from.session !== undefined) return `learned from the session ${from.session}`
  if (from.message === undefined || from.chat === undefined) return 'drafted for you'
  const [vote] = await state.feedback.votes({ message: from.message, user: ctx.user, limit: 1 })
  const { question } = await saidAround(state, from.chat, from.message)
  const asked = ellipsis(visibleLine(question), 100)
  if (vote === undefined) return `from the answer to "${asked}"`
  const said = ellipsis(visibleLine(vote.reason), 200)
  return `you voted the answer to "${asked}" ${vote.vote}${said === '' ? '' : `: ${said}`}`
}
