import { z } from 'zod'
import { projectKey } from '../../analyst/operations/project-key.ts'
import { plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { facts } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../../operations/operation.ts'
import { askAboutProposals, pendingProposals, proposalLine, proposalsWait } from '../../record/accept.ts'
import { QUESTIONS } from '../../record/domain/files.ts'
import { openQuestions } from '../../record/domain/question.ts'
import { DRIVER_MISSING, mergeDriverState } from '../../record/merge-driver.ts'
import { mergeDriverField, recordFields, whose } from '../../record/operations/record-fields.ts'
import { teamFacts, teamFields, teamLines } from '../../record/operations/team-fields.ts'
import type { Store } from '../../record/ports/store.ts'
import { linkState } from '../../team/sync-linked.ts'
import { findWiring, wiredClient } from '../find-wiring.ts'
import { projectPlace } from './setup.ts'

export const status = defineOperation({
  name: 'status',
  title: 'Current state',
  summary: 'Show the project at a glance: record, last change, agents, problems.',
  details: 'At a terminal it asks about each agent proposal before accepting it.',
  forPeople: 'Show the record, connected agents and pending reviews.',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'machine', 'record'],
  hiddenFrom: FOR_PEOPLE,
  input: { ...projectField },
  output: {
    ...recordFields,
    mode: z.string(),
    location: z.string(),
    decisions: z.object({ active: z.number(), superseded: z.number(), unreadable: z.number() }),
    proposals: z
      .array(z.object({ num: z.number(), title: z.string(), date: z.string() }))
      .describe('Recorded by agents, accepted by no one yet.'),
    open_questions: z.number(),
    captured: z.number().optional().describe('Decisions and questions from sessions, pending review.'),
    snapshots: z.number(),
    last_change: z.object({ at: z.string(), operation: z.string(), surface: z.string() }).optional(),
    embeddings: z.boolean(),
    agents: z.array(wiredClient),
    merge_driver: mergeDriverField,
    team: z.object(teamFields).optional().describe('Only for a record that a team shares.'),
  },
  examples: [{ title: 'Here', input: {} }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    await askAboutProposals(ctx, store, await pendingProposals(store))
    const [catalogue, questions, snapshots, journal] = await Promise.all([
      store.catalogue(),
      store.read(QUESTIONS),
      store.snapshots.list(),
      store.journal(),
    ])
    const last = journal.at(-1)
    const active = catalogue.decisions.filter((d) => d.status === 'active').length
    return {
      ...whose(store),
      ...(await mergeDriverState(ctx, store.project)),
      mode: store.project.mode,
      location: store.project.location,
      decisions: { active, superseded: catalogue.decisions.length - active, unreadable: catalogue.unreadable.length },
      proposals: (await pendingProposals(store)).map(({ num, title, date }) => ({ num, title, date })),
      open_questions: openQuestions(questions ?? '').length,
      ...(await pendingCaptured(ctx).catch(() => ({}))),
      snapshots: snapshots.length,
      ...(last && { last_change: { at: last.at, operation: last.operation, surface: last.origin.surface } }),
      embeddings: ctx.settings.get('search.embeddings').value === true,
      ...(await teamHere(ctx, store)),
      agents: await findWiring(ctx, (await projectPlace(ctx)).root),
    }
  },
  render(output, _input, view = PLAIN) {
    const { active, superseded, unreadable } = output.decisions
    const { last_change: last, proposals } = output
    const broken = unreadable > 0 ? view.mark('bad', `, ${unreadable} unreadable: run \`ken doctor\``) : ''
    const waiting = [proposalsWait(proposals.length), ...proposals.map((one) => `           ${proposalLine(one)}`)]
    const changed = last && (view.now === undefined ? `${last.at.slice(0, 16)}Z` : dated(last.at, view))
    const rows: [string, string][] = [
      ['record', `${output.location} (${output.mode})`],
      ['decisions', `${active} active, ${superseded} superseded${broken}`],
      ...(output.trust === 'from the clone' ? [['trust', view.mark('warning', FROM_CLONE)] as [string, string]] : []),
      ...(proposals.length === 0 ? [] : [['proposed', view.mark('warning', waiting.join('\n'))] as [string, string]]),
      ...(output.team === undefined ? [] : teamLines(output.team)).map((line, i): [string, string] => [
        i === 0 ? 'team' : '',
        line,
      ]),
      ['questions', plural(output.open_questions, 'open question')],
      ...((output.captured ?? 0) === 0
        ? []
        : [['captured', `${output.captured} from sessions pending review: \`ken catch-up\``] as [string, string]]),
      ['snapshots', String(output.snapshots)],
      ['changed', last ? `${changed} ${last.operation} via ${last.surface}` : 'never'],
      ['search', `by words${output.embeddings ? ' and by meaning' : ''}`],
      ...renderAgents(output.agents).map((line, i): [string, string] => [i === 0 ? 'agents' : '', line]),
      ...(output.merge_driver === 'missing' ? [['merging', DRIVER_MISSING] as [string, string]] : []),
    ]
    return [
      `${view.mark('title', output.project.name)}  ${view.mark('dim', output.project.id)}`,
      ...facts(rows, view),
    ].join('\n')
  },
})

/** Pending drafts from sessions; the caller shows the record even if their state cannot be opened. */
async function pendingCaptured(ctx: Given<'analyst'>): Promise<{ captured?: number }> {
  const { feedback } = await ctx.analystState()
  const project = await projectKey(ctx)
  const drafts = await Promise.all(
    (['decision', 'question'] as const).map((kind) => feedback.inbox({ user: ctx.user, project, kind })),
  )
  return { captured: drafts.flat().length }
}

async function teamHere(ctx: Given<'machine'>, store: Store): Promise<{ team?: ReturnType<typeof teamFacts> }> {
  const project = (await ctx.projects.list()).find(({ id }) => id === store.project.id)
  if (project?.team === undefined) return {}
  return { team: teamFacts(project.team.server, await linkState(await ctx.teamLinks(), project, store)) }
}

const FROM_CLONE = 'from the clone: nobody here has looked at it; read it, then run `ken trust`'
function renderAgents(agents: readonly z.output<typeof wiredClient>[]): string[] {
  const [connected, others] = [agents.filter((one) => one.connected), agents.filter((one) => !one.connected)]
  const missing = others.filter((one) => one.problem === undefined).map((one) => one.client)
  return [
    ...connected.map((one) => `${one.client}: ${one.files.join(', ')}`),
    ...others.flatMap((one) => (one.problem === undefined ? [] : [`${one.client}: ${one.problem}`])),
    ...(missing.length === 0
      ? []
      : [
          `${connected.length === 0 ? 'none connected' : `not connected: ${missing.join(', ')}`}; \`ken setup <agent>\` connects one`,
        ]),
  ]
}
