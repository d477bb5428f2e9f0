import { z } from 'zod'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import { AT_A_TERMINAL, defineOperation, projectField } from '../../operations/operation.ts'
import { linkState, syncLinked, syncUnlessNext, teamOf } from '../../team/sync-linked.ts'
import type { TeamSync } from '../../team/sync-team.ts'
import { projectHere } from './project-here.ts'
import { recordFields, whose } from './record-fields.ts'
import { syncedFacts, syncedFields, syncedLines, teamFacts, teamFields, teamLines } from './team-fields.ts'

export const syncTeam = defineOperation({
  name: 'sync_team',
  title: 'Sync with the team',
  summary: 'Sync this record with the team’s: send local changes, fetch the others’.',
  details:
    'Runs automatically after every write and while a server or `ken watch` runs; this command runs it now and lists the changes. Both sides keep everything: of two decisions with the same number one is renumbered, references follow, and conflicts become open questions on both sides. An interrupted run resumes. --status only shows the difference.',
  forPeople: 'Sync this record with your team’s.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  exact: true,
  hiddenFrom: AT_A_TERMINAL,
  input: {
    status: z.boolean().default(false).describe('Only show the local sync status; does not contact the server.'),
    background: z
      .boolean()
      .default(false)
      .describe('Skip if another process is already waiting to sync (used after writes).'),
    ...projectField,
  },
  output: { ...recordFields, ...teamFields, ...syncedFields, synced: z.boolean() },
  examples: [
    { title: 'Now', input: {} },
    { title: 'How the two differ', input: { status: true } },
  ],
  async run(ctx, input) {
    const project = await projectHere(ctx, input.project_id)
    const { server } = teamOf(project)
    const done = input.status ? NOTHING : await syncNow(ctx, project, input.background ? syncUnlessNext : syncLinked)
    const store = await ctx.record(project)
    const state = await linkState(await ctx.teamLinks(), project, store)
    return { ...whose(store), ...teamFacts(server, state), ...syncedFacts(done), synced: !input.status }
  },
  render: (output) => [...(output.synced ? syncedLines(output) : []), ...teamLines(output)].join('\n'),
})

const NOTHING: TeamSync = { pulled: 0, pushed: 0, renumbered: [], asked: [] }

/** Syncs a record with the team's. */
export async function syncNow(
  ctx: Given<'machine' | 'record'>,
  project: RegisteredProject,
  sync = syncLinked,
): Promise<TeamSync> {
  const { redactor, clock } = ctx
  return sync({ links: await ctx.teamLinks(), project, store: await ctx.record(project), redactor, clock })
}
