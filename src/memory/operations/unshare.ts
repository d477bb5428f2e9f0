import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { workspaceHash } from '../../kernel/domain/workspace.ts'
import { AT_A_TERMINAL, defineOperation } from '../../operations/operation.ts'
import type { SharingServer } from '../../team/ports/sharing.ts'
import { meant, teamFields } from './share.ts'

export const unshare = defineOperation({
  name: 'unshare',
  title: 'Take a shared workspace back',
  summary: 'Delete everything this workspace shared from the team server.',
  details:
    'The server deletes the texts, their index entries and their vectors, and counts them. Database backups expire by the rules of its operator. Your own memory does not change.',
  effect: 'write',
  withoutRoom: true,
  words: 'own',
  needs: ['machine'],
  asGiven: true,
  hiddenFrom: AT_A_TERMINAL,
  input: {
    ...teamFields,
    yes: z.boolean().default(false).describe('Do not ask.'),
  },
  output: {
    server: z.string(),
    project: z.string(),
    withdrawn: z.boolean(),
    texts: z.number().optional(),
    documents: z.number().optional(),
    chunks: z.number().optional(),
    postings: z.number().optional(),
    vectors: z.number().optional(),
    left: z.number().optional().describe('Items still on the server.'),
  },
  examples: [
    { title: 'All of it', input: { server: 'https://ken.example.com', project: '01J8X4T7N2K5Q9W3E6R1Y0ABCD' } },
  ],
  async run(ctx, input) {
    const root = ctx.workspaces.rootOf(ctx.cwd)
    const sharing = await ctx.sharing()
    const { server, project, known } = meant(sharing.own(), root, input)
    const question = `Take back everything that this workspace shared with project ${project} of ${server}?`
    if (!(input.yes || ((await ctx.confirm?.(question)) ?? false))) return { server, project, withdrawn: false }
    const remote = await sharing.server(server, project)
    const share = known?.share ?? (await ownShare(remote, workspaceHash(root)))
    const gone = await remote.withdraw(share)
    const left = (await remote.list()).filter(({ id }) => id === share)
    sharing.forget({ root, server, project })
    return { server, project, withdrawn: true, ...gone, left: left.reduce((sum, one) => sum + 1 + one.documents, 0) }
  },
  render: ({ server, withdrawn, left, ...gone }) =>
    withdrawn
      ? `${server} deleted ${plural(gone.texts!, 'text')}, ${plural(gone.documents!, 'document')}, ${plural(gone.chunks!, 'part')}, ${gone.postings} words of the index and ${plural(gone.vectors!, 'vector')}; ${left === 0 ? 'none of it is left' : `${left} are left`}.`
      : 'Nothing was changed. Run it again with --yes to take it back.',
  exit: ({ left }) => (left !== undefined && left > 0 ? 1 : 0),
})

/** Gets the share from the server if this machine no longer has it. */
async function ownShare(remote: SharingServer, workspace: string): Promise<string> {
  const found = (await remote.list()).find((one) => one.own && one.workspace === workspace)
  if (found !== undefined) return found.id
  throw new AppError('not_found', 'This workspace is not shared with that project.', {
    hint: 'List what is shared with `ken shared`.',
  })
}
