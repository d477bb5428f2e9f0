import { z } from 'zod'
import { inBytes, plural } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { Given } from '../../operations/context.ts'
import { AT_A_TERMINAL, defineOperation } from '../../operations/operation.ts'
import { serverOrigin } from '../../team/domain/server-address.ts'
import { teamFields } from './share.ts'

const sharedWith = z.object({
  workspace: z.string(),
  by: z.string(),
  own: z.boolean(),
  documents: z.number(),
  bytes: z.number(),
  since: z.string(),
  last_upload: z.string().optional(),
})

export const shared = defineOperation({
  name: 'shared',
  title: 'Shared items',
  summary: 'List what this machine shares with team projects.',
  details:
    'For each project that this machine shares something with, the server lists what it has from everyone. If a server cannot be reached, that is reported, and the local list is still shown.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: AT_A_TERMINAL,
  input: teamFields,
  output: {
    own: z.array(
      z.object({
        folder: z.string(),
        server: z.string(),
        project: z.string(),
        documents: z.number(),
        shared_at: z.string(),
        sent_at: z.string().optional(),
      }),
    ),
    projects: z.array(
      z.object({
        server: z.string(),
        project: z.string(),
        shares: z.array(sharedWith),
        fault: z.string().optional().describe('Why the server did not answer.'),
      }),
    ),
  },
  examples: [{ title: 'Everything', input: {} }],
  async run(ctx, input) {
    const sharing = await ctx.sharing()
    const own = sharing.own()
    const named =
      input.server === undefined || input.project === undefined
        ? []
        : [{ server: serverOrigin(input.server), project: input.project }]
    const places = new Map(
      [...own, ...named].map(({ server, project }) => [`${server} ${project}`, { server, project }]),
    )
    return {
      own: own.map(({ root, server, project, documents, sharedAt, sentAt }) => ({
        folder: root,
        server,
        project,
        documents,
        shared_at: sharedAt,
        ...(sentAt !== undefined && { sent_at: sentAt }),
      })),
      projects: await Promise.all([...places.values()].map((place) => sharesOf(ctx, place))),
    }
  },
  render(output) {
    if (output.own.length + output.projects.length === 0)
      return 'Nothing of this machine is shared. `ken share` shares a workspace, after showing what is sent.'
    return [
      ...output.own.map(
        ({ folder, server, project, documents, sent_at: sentAt }) =>
          `${folder} → project ${project} of ${server}: ${plural(documents, 'document')}, ${sentAt === undefined ? 'not sent to the end' : `last sent ${day(sentAt)}`}`,
      ),
      ...output.projects.flatMap(({ server, project, shares, fault }) => [
        `Project ${project} of ${server}${fault === undefined ? ` has ${plural(shares.length, 'workspace')}:` : `: ${fault}`}`,
        ...shares.map(
          ({ workspace, by, own, documents, bytes, last_upload: at }) =>
            `  ${workspace} of ${own ? 'you' : by}: ${plural(documents, 'document')}, ${inBytes(bytes)}${at === undefined ? '' : `, last sent ${day(at)}`}`,
        ),
      ]),
    ].join('\n')
  },
})

const day = (at: string): string => at.slice(0, 16).replace('T', ' ')

async function sharesOf(
  ctx: Given<'machine'>,
  { server, project }: { readonly server: string; readonly project: string },
) {
  try {
    const remote = await (await ctx.sharing()).server(server, project)
    const shares = (await remote.list()).map((one) => ({
      workspace: one.name,
      by: one.author,
      own: one.own,
      documents: one.documents,
      bytes: one.bytes,
      since: one.openedAt,
      ...(one.uploadedAt !== undefined && { last_upload: one.uploadedAt }),
    }))
    return { server, project, shares }
  } catch (thrown) {
    return { server, project, shares: [], fault: toAppError(thrown).line }
  }
}
