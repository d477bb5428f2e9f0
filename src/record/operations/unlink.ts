import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { AT_A_TERMINAL, defineOperation, projectField } from '../../operations/operation.ts'
import { linkState, teamOf } from '../../team/sync-linked.ts'
import { projectHere } from './project-here.ts'

export const unlink = defineOperation({
  name: 'unlink',
  title: 'Part a record from its team',
  summary: 'Stop sharing this record. Both copies stay and change separately.',
  details:
    'Nothing is deleted on either side, and the server is not asked. What was written here and never sent stays here. `ken link` brings the two together again.',
  effect: 'write',
  words: 'own',
  needs: ['machine', 'record'],
  exact: true,
  hiddenFrom: AT_A_TERMINAL,
  input: { ...projectField },
  output: { id: z.string(), name: z.string(), server: z.string(), waiting: z.number(), store: z.string() },
  examples: [{ title: 'Here', input: {} }],
  async run(ctx, input) {
    const project = await projectHere(ctx, input.project_id)
    const { server } = teamOf(project)
    const links = await ctx.teamLinks()
    const { waiting } = await linkState(links, project, await ctx.record(project))
    await links.unlink(project)
    return { id: project.id, name: project.name, server, waiting, store: project.location }
  },
  render: ({ name, server, waiting, store }) =>
    [
      `"${name}" is this machine’s alone again, in ${store}. ${server} keeps what it has.`,
      ...(waiting === 0 ? [] : [`${plural(waiting, 'change was', 'changes were')} never sent there.`]),
    ].join('\n'),
})
