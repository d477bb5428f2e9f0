import { z } from 'zod'
import { applyDraft, planDraft } from '../../evaluation/apply-draft.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { withinOf } from '../../memory/operations/memory-scope.ts'
import { workspaceIn } from '../../memory/session-places.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { captureSessions } from '../capture-sessions.ts'
import { readDecisionDraft, readQuestionDraft } from '../domain/feedback/captured-draft.ts'
import type { Draft } from '../domain/feedback/feedback.ts'
import { shortId } from './draft-named.ts'
import { applyParts, inboxEdit } from './inbox-settle.ts'
import { projectKey } from './project-key.ts'

type Needed = Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'>

const OUTCOMES = ['accepted', 'later', 'never'] as const

const candidateRow = z.object({
  id: z.string(),
  kind: z.enum(['decision', 'question']),
  title: z.string(),
  rejected: z.array(z.string()),
  files: z.array(z.string()),
  supersedes: z.string().optional().describe('The decision that it contradicts.'),
  quote: z.string().describe('What the user said.'),
  context: z.string().describe('The exchange that it comes from.'),
  client: z.string(),
  session: z.string(),
  turn: z.number(),
  outcome: z.enum(OUTCOMES).optional().describe('What the person answered; none if nobody was asked.'),
  recorded: z.string().optional().describe('Its number in the record, once accepted.'),
})

export const catchUp = defineOperation({
  name: 'catch_up',
  title: 'Catch up with sessions',
  summary: 'Find decisions and open questions in recent sessions that are not in the record, and review them.',
  details:
    'At a terminal it asks about each: accept, edit, later or never. Otherwise it lists them; `ken inbox` has the same drafts. Only words of the user count, nothing is recorded without a yes, and what was answered with never does not come back.',
  effect: 'write',
  fromPage: 'free',
  words: 'memory',
  needs: ['analyst', 'context', 'machine', 'memory', 'record'],
  hiddenFrom: FOR_PEOPLE,
  input: {
    limit: z.number().int().min(1).max(1_000).default(20).describe('Sessions to look through, the newest first.'),
  },
  output: { sessions: z.number(), found: z.number().describe('New ones.'), waiting: z.array(candidateRow) },
  examples: [{ title: 'What waits here', input: {} }],
  async run(ctx, input) {
    const state = await ctx.analystState()
    const { archive } = await ctx.upkeep()
    const within = await withinOf(ctx, undefined)
    const project = await projectKey(ctx)
    const sessions = (await archive.list())
      .filter(({ path, kind }) => kind !== 'subagent' && (within?.workspaces.includes(workspaceIn(path)) ?? true))
      .toSorted((a, b) => (a.ended < b.ended ? 1 : -1))
      .slice(0, input.limit)
    const store = await ctx.record()
    const found = await captureSessions(
      { state, clock: ctx.clock },
      { archive, sessions, store, user: ctx.user, project, folder: ctx.cwd },
    )
    const drafts = await Promise.all(
      (['decision', 'question'] as const).map((kind) => state.feedback.inbox({ user: ctx.user, project, kind })),
    )
    const waiting: z.output<typeof candidateRow>[] = []
    let isStopped = false
    for (const draft of drafts.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const row = rowOf(draft)
      if (row === undefined) continue
      const answer: Answer | 'stop' | undefined =
        isStopped || ctx.ask === undefined ? undefined : await review(ctx, draft)
      isStopped ||= answer === 'stop'
      waiting.push({ ...row, ...(typeof answer === 'object' && answer) })
    }
    return { sessions: sessions.length, found: found.length, waiting }
  },
  render({ sessions, found, waiting }, _input, view = PLAIN) {
    const open = waiting.filter(({ outcome }) => outcome === undefined || outcome === 'later')
    const recorded = waiting.flatMap(({ recorded: number, title }) =>
      number === undefined ? [] : [`${number} ${title}`],
    )
    return [
      `Looked through ${plural(sessions, 'session')}: ${found} new, ${open.length} pending review.`,
      ...(recorded.length === 0 ? [] : [`Recorded: ${recorded.join('; ')}`]),
      ...open.map(({ id, kind, title, quote, client, session, turn, supersedes, rejected }) =>
        [
          `${view.mark('title', shortId(id))}  ${kind}  ${title}`,
          ...(supersedes === undefined ? [] : [`        contradicts ${supersedes}: accepting it supersedes that`]),
          ...(rejected.length === 0 ? [] : [`        not taken: ${rejected.join('; ')}`]),
          `        ${view.mark('dim', `"${ellipsis(visibleLine(quote), 160)}" (${client} session ${session}, turn ${turn})`)}`,
        ].join('\n'),
      ),
      ...(open.length === 0 ? [] : ['`ken inbox apply`, `edit` and `dismiss` take one of these ids.']),
    ].join('\n')
  },
})

function rowOf({ id, body }: Draft): z.output<typeof candidateRow> | undefined {
  const decision = readDecisionDraft(body)
  if (decision !== undefined) {
    const { title, rejected, files, supersedes, rationale, evidence } = decision
    return {
      id,
      kind: 'decision',
      title,
      rejected: rejected.map(({ alternative }) => alternative),
      files,
      ...(supersedes !== undefined && { supersedes }),
      context: rationale,
      ...evidence,
    }
  }
  const question = readQuestionDraft(body)
  if (question === undefined) return undefined
  const { question: title, context, evidence } = question
  return { id, kind: 'question', title, rejected: [], files: [], context, ...evidence }
}

type Answer = { readonly outcome: (typeof OUTCOMES)[number]; readonly recorded?: string }

/** Asks about one draft until the answer is one of the keys; an empty answer ends the walk. */
async function review(ctx: Needed, first: Draft): Promise<Answer | 'stop'> {
  const { feedback } = await ctx.analystState()
  for (let draft = first; ;) {
    const said = (await ctx.ask!(`${shown(draft)}\n\n[a]ccept, [e]dit, [l]ater, [n]ever, empty to stop:`))
      .trim()
      .toLowerCase()
    const at = ctx.clock.now().toISOString()
    if (said === '') return 'stop'
    if (said === 'l') return { outcome: 'later' }
    if (said === 'n') {
      await feedback.settle(draft.id, { how: 'dismissed', at })
      return { outcome: 'never' }
    }
    if (said === 'e') {
      await inboxEdit.run(ctx, { draft: draft.id })
      draft = (await feedback.find(draft.id, ctx.user)) ?? draft
    }
    if (said === 'a') {
      const parts = await applyParts(ctx, draft)
      const where = await applyDraft(draft, await planDraft(draft, parts), parts)
      await feedback.settle(draft.id, { how: 'applied', at, where })
      return { outcome: 'accepted', recorded: where }
    }
  }
}

function shown(draft: Draft): string {
  const row = rowOf(draft)
  if (row === undefined)
    throw new AppError('damaged', 'This draft cannot be read.', {
      hint: `\`ken inbox dismiss ${shortId(draft.id)}\` removes it.`,
    })
  const { kind, title, rejected, files, supersedes, context, client, session, turn } = row
  const said = context.split('\n').map(visibleLine).join('\n')
  return [
    `${kind}: ${visibleLine(title)}`,
    ...(supersedes === undefined ? [] : [`contradicts ${supersedes}: accepting it supersedes that`]),
    ...rejected.map((one) => `not taken: ${visibleLine(one)}`),
    ...(files.length === 0 ? [] : [`files: ${files.map(visibleLine).join(', ')}`]),
    '',
    said,
    '',
    `ken session show ${session} --from ${turn}  (${client})`,
  ].join('\n')
}
