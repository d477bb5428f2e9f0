import { z } from 'zod'
import { applyDraft, planDraft } from '../../evaluation/apply-draft.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { modelFacts, readPrices, usageOf } from '../../kernel/domain/model-facts.ts'
import { readModelName } from '../../kernel/domain/model-name.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { withinOf } from '../../memory/operations/memory-scope.ts'
import { workspaceIn } from '../../memory/session-places.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { draftCandidates, newCandidates, type SessionCandidates } from '../capture-sessions.ts'
import { readDecisionDraft, readQuestionDraft } from '../domain/feedback/captured-draft.ts'
import type { Draft } from '../domain/feedback/feedback.ts'
import { refinementUsage, refineSessions } from '../refine-sessions.ts'
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
  quote: z.string().describe('Quote of the user.'),
  context: z.string().describe('The exchange that it comes from.'),
  client: z.string(),
  session: z.string(),
  turn: z.number(),
  outcome: z.enum(OUTCOMES).optional().describe('The person’s choice; undefined without a prompt.'),
  recorded: z.string().optional().describe('Its number in the record, once accepted.'),
})

export const catchUp = defineOperation({
  name: 'catch_up',
  title: 'Catch up with sessions',
  summary: 'Find decisions and open questions in recent sessions that are not in the record, and review them.',
  details:
    'At a terminal it asks about each: accept, edit, later or never. Otherwise it lists them; `ken inbox` has the same drafts. Only the user’s words count, nothing is recorded without confirmation, and a draft answered with never is not offered again. With a model in the settings it offers to refine new candidates, with the cost: the model can dismiss and reword candidates, and adds none.',
  effect: 'write',
  fromPage: 'free',
  words: 'memory',
  needs: ['analyst', 'context', 'machine', 'memory', 'record'],
  hiddenFrom: FOR_PEOPLE,
  input: {
    limit: z.number().int().min(1).max(1_000).default(20).describe('Sessions to look through, the newest first.'),
    with_model: z
      .boolean()
      .optional()
      .describe('Have the model of the settings refine new candidates; default: ask at a terminal, else no.'),
  },
  output: {
    sessions: z.number(),
    found: z.number().describe('New ones.'),
    waiting: z.array(candidateRow),
    refined: z
      .object({
        model: z.string(),
        set_aside: z.number().describe('Dismissed by the model; `ken inbox --settled` lists them.'),
        tokens: z.object({ input: z.number(), output: z.number() }).describe('Estimated.'),
        failure: z.string().optional(),
      })
      .optional()
      .describe('None if no model was asked.'),
  },
  examples: [{ title: 'Drafts pending review here', input: {} }],
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
    const capture = { archive, sessions, store, user: ctx.user, project, folder: ctx.cwd }
    const found = await newCandidates(state, capture)
    const refinement = await refine(ctx, found, { project, isWanted: input.with_model })
    const asFound = found.map(({ session, candidates }) => ({ session, kept: candidates, setAside: [] }))
    const fresh = await draftCandidates({ state, clock: ctx.clock }, capture, refinement?.refined ?? asFound)
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
    return {
      sessions: sessions.length,
      found: fresh.length,
      waiting,
      ...(refinement !== undefined && { refined: refinement.report }),
    }
  },
  render({ sessions, found, waiting, refined }, _input, view = PLAIN) {
    const open = waiting.filter(({ outcome }) => outcome === undefined || outcome === 'later')
    const recorded = waiting.flatMap(({ recorded: number, title }) =>
      number === undefined ? [] : [`${number} ${title}`],
    )
    return [
      `Looked through ${plural(sessions, 'session')}: ${found} new, ${open.length} pending review.`,
      ...(refined === undefined ? [] : [refinedLine(refined)]),
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

interface Refining {
  readonly project: string
  readonly isWanted: boolean | undefined
}

/** Refines candidates with the configured model, after a person saw the cost or requested it. */
async function refine(ctx: Needed, found: readonly SessionCandidates[], { project, isWanted }: Refining) {
  const { input, output } = refinementUsage(found)
  if (isWanted === false || (isWanted !== true && ctx.confirm === undefined) || input === 0) return undefined
  const model = await ctx.models.language()
  if (model === undefined) {
    if (isWanted === undefined) return undefined
    throw new AppError('unavailable', 'No model is set.', { hint: 'Set one with `ken config model.name`.' })
  }
  const price = costWords(model.id, { input, output }, String(ctx.settings.get('model.prices').value ?? ''))
  const question = `Ask ${model.id} to refine ${plural(found.flatMap(({ candidates }) => candidates).length, 'new candidate')}? About ${input} tokens, and at most ${output} for the answer${price}.`
  if (isWanted === undefined && !(await ctx.confirm!(question))) return undefined
  const state = await ctx.analystState()
  const signal = ctx.signal ?? new AbortController().signal
  const { refined, usage, failure } = await refineSessions(
    { model, clock: ctx.clock, signal, state, user: ctx.user, project },
    found,
  )
  const report = {
    model: model.id,
    set_aside: refined.flatMap(({ setAside }) => setAside).length,
    tokens: { input: usage.input, output: usage.output },
    ...(failure !== undefined && { failure }),
  }
  return { refined, report }
}

function costWords(model: string, tokens: { input: number; output: number }, prices: string): string {
  const named = readModelName(model)
  const known = readPrices(prices) ?? (named && modelFacts(named.provider, named.model).prices)
  const { cost } = usageOf({ ...tokens, cached: 0, stored: 0, reasoning: 0 }, known)
  return cost === undefined ? '; its price is not known' : `: at most $${cost.toFixed(cost < 0.01 ? 4 : 2)}`
}

const refinedLine = ({ model, set_aside: aside, tokens, failure }: RefinedReport): string =>
  [
    `${model} refined them (about ${tokens.input} tokens in, ${tokens.output} out)`,
    ...(aside === 0 ? [] : [`${aside} set aside: \`ken inbox --settled\``]),
    ...(failure === undefined ? [] : [`not all: ${failure}`]),
  ].join('; ') + '.'

interface RefinedReport {
  readonly model: string
  readonly set_aside: number
  readonly tokens: { readonly input: number; readonly output: number }
  readonly failure?: string | undefined
}

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

/** Prompts for one draft until the answer is one of the keys; an empty answer ends the walk. */
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
