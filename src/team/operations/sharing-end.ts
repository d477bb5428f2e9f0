import { z } from 'zod'
import { isAdminHere } from '../../analyst/operations/is-admin-here.ts'
import { ownerNames, ownerShape } from '../../analyst/operations/owner-names.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { namedProject } from './named-in-team.ts'
import { ownThing, sharedFields, sharesOf } from './sharing.ts'

export const sharingEnd = defineOperation({
  name: 'sharing_end',
  title: 'Take a chat or story back',
  summary: 'Stop sharing a chat or story. Admins can stop anyone’s.',
  details: 'Copies that others continued in their own chats stay theirs. Admins refer to other people’s chats by id.',
  effect: 'write',
  words: 'own',
  needs: ['analyst', 'team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: sharedFields,
  output: { id: z.string() },
  examples: [{ title: 'The last chat', input: { of: 'chat', id: 'last' } }],
  async run(ctx, { of, id: named }) {
    try {
      const id = await ownThing(ctx, of, named)
      await (await sharesOf(ctx)).share(of, id, { visibility: 'private', readers: [] })
      return { id }
    } catch (thrown) {
      const { code } = toAppError(thrown)
      if (code !== 'not_found' && code !== 'forbidden') throw thrown
      const project = await namedProject(ctx, undefined)
      // A caller who is not an admin learns only that the item is not theirs.
      if (!(await isAdminHere(ctx, project.id))) throw thrown
      if (!(await (await ctx.oversight()).unshare(of, named))) throw thrown
      return { id: named }
    }
  },
  render: () => 'Only its owner reads it now.',
})

const MOST = 500

export const sharingList = defineOperation({
  name: 'sharing_list',
  title: 'Shared items',
  summary: 'List what is shared in the project; titles only if shared with everyone.',
  effect: 'read',
  words: 'analyst',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: {
    shared: z.array(
      z.object({
        of: z.enum(['chat', 'story']),
        id: z.string(),
        owner: ownerShape,
        visibility: z.enum(['project', 'named']),
        people: z.number().describe('How many were named.'),
        title: z.string().optional(),
        updated_at: z.string(),
      }),
    ),
  },
  examples: [{ title: 'All of it', input: {} }],
  async run(ctx) {
    const shared = await (await ctx.oversight()).shared(MOST)
    const named = await ownerNames(
      ctx,
      shared.map(({ owner }) => owner),
    )
    return {
      shared: shared.map(({ of, id, owner, visibility, named: people, title, updatedAt }) => ({
        of,
        id,
        owner: named(owner),
        visibility,
        people,
        ...(title !== undefined && { title }),
        updated_at: updatedAt,
      })),
    }
  },
  render: ({ shared }) =>
    shared.length === 0
      ? 'Nothing is shared.'
      : shared
          .map(
            ({ of, id, owner, visibility, people, title = '' }) =>
              `${of} ${id}  ${owner.name}  ${visibility === 'project' ? 'everybody' : `${people} named`}  ${title}`,
          )
          .join('\n'),
})
