import { z } from 'zod'
import type { TreeFault } from '../../context/domain/context-project/judge-tree.ts'
import type { KeptOrigin } from '../../context/ports/context-origins.ts'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { contextGitFields, faultOf, originLines, shownOrigin } from './context-git-fields.ts'
import { namedProject } from './named-in-team.ts'

const { branch, folder, every, in_use, looked } = contextGitFields.shape

const origin = z.object({
  repository: z.string().optional().describe('Missing for one of the server’s own machine.'),
  branch,
  folder,
  every,
  in_use,
  looked,
})

export const contextInUse = defineOperation({
  name: 'context_in_use',
  title: 'Show which context is in use',
  summary: 'Show the active context commit, and why the last pull failed.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { ...projectField },
  output: { origin: origin.optional().describe('Missing until an admin configures a repository.') },
  examples: [{ title: 'The project', input: {} }],
  async run(ctx, { project_id }) {
    const { contexts } = ctx.team
    const { id } = await namedProject(ctx, project_id)
    const kept = await contexts.origins.find(id)
    return kept === undefined ? {} : { origin: toldOf(kept) }
  },
  render({ origin: told }) {
    if (told === undefined) return 'This project has no context yet: an admin of it names a git repository.'
    return originLines({ ...told, address: told.repository ?? 'A repository of the server' })
  },
})

/** The part of the origin that everyone in the project may see: nothing about the server's machine or its secrets. */
function toldOf(kept: KeptOrigin): z.output<typeof origin> {
  const shown = shownOrigin(kept)
  return {
    ...(shown.address.startsWith('https://') && { repository: shown.address }),
    branch: shown.branch,
    folder: shown.folder,
    ...(shown.every !== undefined && { every: shown.every }),
    ...(shown.in_use && { in_use: shown.in_use }),
    ...(shown.looked && { looked: { ...shown.looked, faults: kept.looked!.faults.map(toldFault) } }),
  }
}

const toldFault = (fault: TreeFault): ReturnType<typeof faultOf> =>
  fault.quotes
    ? { message: 'The repository could not be read. Admins see git’s message in the settings.' }
    : faultOf(fault)
