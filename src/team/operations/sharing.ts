import { z } from 'zod'
import { chatNamed } from '../../analyst/operations/chat-named.ts'
import { findStory } from '../../analyst/operations/story-parts.ts'
import type { Audience, SharedKind, Shares } from '../../analyst/ports/shares.ts'
import { unknownName } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { Context, Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import type { Person } from '../domain/person.ts'
import { roleInProject } from '../domain/role.ts'
import type { TeamDesk } from '../ports/team-desk.ts'
import { namedProject } from './named-in-team.ts'

export const sharedFields = {
  of: z.enum(['chat', 'story']).describe('What it is.'),
  id: z.string().trim().min(1).max(100).describe('Chat id, or story slug or id.'),
}

const personShape = z.object({ id: z.string(), name: z.string(), email: z.string() })

const audience = {
  id: z.string(),
  visibility: z.enum(['private', 'project', 'named']).describe('No one, everyone in the project, or the named people.'),
  readers: z.array(personShape).describe('Named people who still have access to the project.'),
}

const MOST_READERS = 100

export const sharingShow = defineOperation({
  name: 'sharing_show',
  title: 'Readers of a chat or story',
  summary: 'Show who can read your chat or story, and who you can share it with.',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: sharedFields,
  output: { ...audience, people: z.array(personShape).describe('Everyone else in the project.') },
  examples: [{ title: 'The last chat', input: { of: 'chat', id: 'last' } }],
  async run(ctx, { of, id: named }) {
    const id = await ownThing(ctx, of, named)
    const [held, people] = [await (await sharesOf(ctx)).audience(of, id), await othersHere(ctx)]
    return { ...told(id, held, people), people: people.map(personFields) }
  },
  render: (output) => audienceWords(output),
})

export const sharingSet = defineOperation({
  name: 'sharing_set',
  title: 'Share a chat or story',
  summary: 'Share your chat or story with the project or with named people. Replaces earlier sharing.',
  details:
    'They read it as it is now and as it grows, and change nothing; they comment on a story. Comments written before somebody was added stay hidden from readers, unless you show them. What you edited away, earlier versions of a story, your votes, what Ken remembers about you and what the model thought stay yours.',
  effect: 'write',
  words: 'own',
  needs: ['analyst', 'team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {
    ...sharedFields,
    everybody: z.boolean().default(false).describe('Everyone in the project, including people who join later.'),
    people: z
      .array(z.string().min(1).max(254))
      .max(MOST_READERS)
      .default([])
      .describe('Ids or e-mail addresses of people with access to the project.'),
    comments: z
      .boolean()
      .default(false)
      .describe('Of a story: readers see the comments written so far as well, not only those from now on.'),
  },
  output: audience,
  examples: [
    { title: 'Everybody', input: { of: 'chat', id: 'last', everybody: true } },
    { title: 'One person', input: { of: 'story', id: 'sales', people: ['ada@example.com'] } },
  ],
  async run(ctx, { of, id: named, everybody, people: wanted, comments }) {
    if (everybody === wanted.length > 0)
      throw new AppError('invalid_input', 'Share with everyone or with named people, not both.', {
        hint: 'Pass `everybody` or `people`; `sharing_end` stops sharing.',
      })
    const id = await ownThing(ctx, of, named)
    const people = await othersHere(ctx)
    const readers = wanted.map((one) => readerNamed(people, one))
    const held: Audience = { visibility: everybody ? 'project' : 'named', readers: [...new Set(readers)] }
    const shares = await sharesOf(ctx)
    const isWider = gainsReaders(await shares.audience(of, id), held)
    const since = comments ? EVER : isWider ? ctx.clock.now().toISOString() : undefined
    await shares.share(of, id, held, since)
    return told(id, held, people)
  },
  render: (output) => audienceWords(output),
})

export async function sharesOf(ctx: Pick<Context, 'analystState'>): Promise<Shares> {
  const { shares } = await ctx.analystState()
  if (shares === undefined)
    throw new AppError('unavailable', 'Only a team server has people.', { hint: 'See the guide of `ken server`.' })
  return shares
}

/** The id of one of the caller's own items. */
export const ownThing = async (ctx: Given<'analyst'>, of: SharedKind, named: string): Promise<string> =>
  (of === 'chat' ? await chatNamed(ctx, named) : await findStory(ctx, named)).id

async function othersHere(ctx: Given<'team'>): Promise<readonly Person[]> {
  const people = await projectPeople(ctx.team, (await namedProject(ctx, undefined)).id)
  return people.filter(({ id }) => id !== ctx.user)
}

// Before any comment.
const EVER = new Date(0).toISOString()

/** Whether an audience includes somebody whom the one before did not. */
const gainsReaders = (before: Audience, { visibility, readers }: Audience): boolean =>
  before.visibility !== 'project' && (visibility === 'project' || readers.some((one) => !before.readers.includes(one)))

function readerNamed(people: readonly Person[], named: string): string {
  const address = named.trim().toLowerCase()
  const found = people.find(({ id, email }) => id === named.trim() || email === address)
  if (found !== undefined) return found.id
  throw unknownName(
    'person in this project',
    named,
    people.map(({ email }) => email),
  )
}

function told(id: string, { visibility, readers }: Audience, people: readonly Person[]) {
  return { id, visibility, readers: people.filter((person) => readers.includes(person.id)).map(personFields) }
}

function audienceWords({ visibility, readers }: { visibility: string; readers: readonly { email: string }[] }): string {
  if (visibility === 'private') return 'Nobody reads it but you.'
  if (visibility === 'project') return 'Everybody in the project reads it.'
  return `${plural(readers.length, 'person reads', 'people read')} it: ${readers.map(({ email }) => email).join(', ')}.`
}

/** Everyone with access to one of the caller's projects, ordered by address. */
async function projectPeople({ projects, people, caller }: TeamDesk, project: string): Promise<readonly Person[]> {
  const [listed, members, all] = await Promise.all([
    projects.list(caller.person),
    projects.members(project),
    people.list(caller.organisation),
  ])
  const access = listed.find(({ id }) => id === project)?.access ?? 'members'
  const roles = new Map(members.map(({ person, role }) => [person, role]))
  return all.filter(
    ({ id, role, leftAt }) => leftAt === undefined && roleInProject(role, access, roles.get(id)) !== undefined,
  )
}

const personFields = ({ id, name, email }: Person): z.output<typeof personShape> => ({ id, name, email })
