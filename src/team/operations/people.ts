import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { livesAt } from '../authenticate.ts'
import { domainOf, emailAddress } from '../domain/email-address.ts'
import type { Person } from '../domain/person.ts'
import { ROLES } from '../domain/role.ts'
import { nameFrom } from '../resolve-identity.ts'
import { personNamed } from './named-in-team.ts'

const person = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  since: z.string(),
  left_at: z.string().optional().describe('From then on they are a name on what they wrote.'),
})

const rowOf = ({ id, email, name, role, createdAt, leftAt }: Person): z.output<typeof person> => ({
  id,
  email,
  name,
  role,
  since: createdAt,
  ...(leftAt !== undefined && { left_at: leftAt }),
})

const nameField = z.string().trim().min(1).max(100)
const personField = z.string().min(1).max(254).describe('Id or e-mail address.')

export const peopleList = defineOperation({
  name: 'people_list',
  title: 'List people',
  summary: 'List people and roles in the organisation.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { left: z.boolean().default(false).describe('Include people who left.') },
  output: { you: z.object({ id: z.string(), role: z.enum(ROLES) }), people: z.array(person) },
  examples: [{ title: 'Everybody', input: {} }],
  async run(ctx, { left }) {
    const { people, caller } = ctx.team
    const all = await people.list(caller.organisation)
    return {
      you: { id: caller.person, role: caller.role },
      people: all.filter(({ leftAt }) => left || leftAt === undefined).map(rowOf),
    }
  },
  render: ({ people }) => people.map(({ email, name, role }) => `${email}  ${role}  ${name}`).join('\n'),
})

export const peopleAdd = defineOperation({
  name: 'people_add',
  title: 'Add a person',
  summary: 'Add a person without an invitation, if the identity provider vouches for their address.',
  details:
    'For programs that provision people, such as SCIM clients. The person signs in as usual, by proving that they own the address. A person who left returns with the same id.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {
    email: z.string().min(3).max(254),
    role: z.enum(ROLES).default('member'),
    name: nameField.optional().describe('Until the person sets one.'),
  },
  output: { person },
  examples: [{ title: 'A member', input: { email: 'ada@example.com', name: 'Ada Lovelace' } }],
  async run(ctx, { email: given, role, name }) {
    const { caller, vouched, invitations, people, concerns } = ctx.team
    const { organisation } = caller
    const email = emailAddress(given)
    if (!vouched.includes(domainOf(email)))
      throw new AppError('forbidden', 'The server’s identity provider does not vouch for this address.', {
        hint:
          vouched.length === 0
            ? 'No provider is configured. Invite the person instead.'
            : `Its domains are ${vouched.join(', ')}. Invite others.`,
      })
    const now = ctx.clock.now()
    const [id, at] = [ctx.clock.ulid(), now.toISOString()]
    const expiresAt = new Date(now.getTime() + 60_000).toISOString()
    await invitations.invite({ id, organisation, email, role, invitedBy: caller.person, createdAt: at, expiresAt })
    const here = await invitations.accept({ email, name: name ?? nameFrom(email), at, only: id })
    const added = here.find((one) => one.organisation === organisation)!
    concerns(added.id)
    const named =
      name === undefined || added.name === name ? added : await people.change(organisation, added.id, { name })
    return { person: rowOf(named) }
  },
  render: ({ person: { email, role } }) => `${email} is now ${role}, and can sign in.`,
})

export const peopleChange = defineOperation({
  name: 'people_change',
  title: 'Change a person',
  summary: 'Change a person’s role or name. Takes effect immediately.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { person: personField, role: z.enum(ROLES).optional(), name: nameField.optional() },
  output: { person },
  examples: [{ title: 'A viewer', input: { person: 'ada@example.com', role: 'viewer' } }],
  async run(ctx, { person: named, role, name }) {
    if (role === undefined && name === undefined)
      throw new AppError('invalid_input', 'Nothing to change.', { hint: 'Pass a role, a name, or both.' })
    const desk = ctx.team
    const { id } = await personNamed(desk, named)
    const change = { ...(role !== undefined && { role }), ...(name !== undefined && { name }) }
    return { person: rowOf(await desk.people.change(desk.caller.organisation, id, change)) }
  },
  render: ({ person: { email, role, name } }) => `${email} (${name}) is now ${role}.`,
})

export const nameChange = defineOperation({
  name: 'name_change',
  title: 'Change my name',
  summary: 'Change the name that others see on what you write.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { name: nameField },
  output: { person },
  examples: [{ title: 'A full name', input: { name: 'Ada Lovelace' } }],
  async run({ team: { people, caller } }, { name }) {
    return { person: rowOf(await people.change(caller.organisation, caller.person, { name })) }
  },
  render: ({ person: { name } }) => `Your name is now ${name}.`,
})

export const peopleRemove = defineOperation({
  name: 'people_remove',
  title: 'Remove a person',
  summary: 'Remove a person. Revokes their access; what they wrote keeps their name.',
  effect: 'write',
  destructive: true,
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { person: personField },
  output: { id: z.string(), email: z.string() },
  examples: [{ title: 'By address', input: { person: 'ada@example.com' } }],
  async run(ctx, { person: named }) {
    const desk = ctx.team
    const { id, email } = await personNamed(desk, named)
    await desk.people.leave(desk.caller.organisation, id, ctx.clock.now().toISOString())
    return { id, email }
  },
  render: ({ email }) => `${email} is out. Sessions, tokens, passkeys and grants ended at once.`,
})

export const peopleSignOut = defineOperation({
  name: 'people_sign_out',
  title: 'End the access of a person',
  summary: 'Revoke all sessions, tokens and grants of a person, e.g. after a lost laptop.',
  effect: 'write',
  destructive: true,
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { person: personField },
  output: { email: z.string(), sessions: z.number(), tokens: z.number(), grants: z.number() },
  examples: [{ title: 'By address', input: { person: 'ada@example.com' } }],
  async run(ctx, { person: named }) {
    const desk = ctx.team
    const { id, email } = await personNamed(desk, named)
    const now = ctx.clock.now()
    const at = now.toISOString()
    const sessions = await desk.sessions.list(id, livesAt(now))
    const tokens = (await desk.tokens.list(id)).filter(({ revokedAt, expiresAt }) => !revokedAt && expiresAt > at)
    const grants = await desk.authorizations.list(id, now)
    await desk.sessions.endOthers(id, '')
    await desk.tokens.revoke(
      id,
      tokens.map((token) => token.id),
      at,
    )
    for (const grant of grants) await desk.authorizations.revoke({ grant: grant.id, person: id })
    return { email, sessions: sessions.length, tokens: tokens.length, grants: grants.length }
  },
  render: ({ email, sessions, tokens, grants }) =>
    `Ended for ${email}: ${plural(sessions, 'session')}, ${plural(tokens, 'token')}, ${plural(grants, 'grant')}.`,
})
