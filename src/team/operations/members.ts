import { z } from 'zod'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { ACCESS, ROLES } from '../domain/role.ts'
import { hostedProject, projectOf } from './hosted-project.ts'
import { namedProject, personNamed } from './named-in-team.ts'

const personField = z.string().min(1).max(254).describe('Id or e-mail address.')

export const projectMembers = defineOperation({
  name: 'project_members',
  title: 'List members of a project',
  summary: 'List who can access a project.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: projectField,
  output: {
    ...hostedProject,
    access: z.enum(ACCESS),
    role: z.enum(ROLES).describe('Yours in it.'),
    members: z.array(z.object({ id: z.string(), email: z.string(), name: z.string(), role: z.enum(ROLES) })),
  },
  examples: [{ title: 'The only project', input: {} }],
  async run(ctx, { project_id }) {
    const { projects, people, caller } = ctx.team
    const project = await namedProject(ctx, project_id)
    const { access, role } = (await projects.list(caller.person)).find(({ id }) => id === project.id)!
    const [members, all] = [await projects.members(project.id), await people.list(caller.organisation)]
    return {
      ...projectOf({ project }),
      access,
      role,
      members: members.flatMap((member) => {
        const found = all.find(({ id }) => id === member.person)
        return found === undefined ? [] : [{ id: found.id, email: found.email, name: found.name, role: member.role }]
      }),
    }
  },
  render: ({ members, access }) =>
    [
      access === 'organisation' ? 'Everybody in the organisation gets at it.' : 'Its members only.',
      ...members.map(({ email, role }) => `${email}  ${role}`),
    ].join('\n'),
})

export const projectGrant = defineOperation({
  name: 'project_grant',
  title: 'Give a role in a project',
  summary: 'Give a person a project role, overriding their organisation role.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { person: personField, role: z.enum(ROLES), ...projectField },
  output: { ...hostedProject, email: z.string(), role: z.enum(ROLES) },
  examples: [{ title: 'A member', input: { person: 'ada@example.com', role: 'member' } }],
  async run(ctx, { person, role, project_id }) {
    const desk = ctx.team
    const project = await namedProject(ctx, project_id)
    const { id, email } = await personNamed(desk, person)
    await desk.projects.setMember(project.id, id, role)
    return { ...projectOf({ project }), email, role }
  },
  render: ({ email, role, project }) => `${email} is ${role} in ${project.name}.`,
})

export const projectRevoke = defineOperation({
  name: 'project_revoke',
  title: 'Take a role in a project back',
  summary: 'Revoke a person’s project role; their organisation role applies again.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { person: personField, ...projectField },
  output: { ...hostedProject, email: z.string() },
  examples: [{ title: 'By address', input: { person: 'ada@example.com' } }],
  async run(ctx, { person, project_id }) {
    const desk = ctx.team
    const project = await namedProject(ctx, project_id)
    const { id, email } = await personNamed(desk, person)
    await desk.projects.setMember(project.id, id, undefined)
    return { ...projectOf({ project }), email }
  },
  render: ({ email, project }) => `${email} has no role of their own in ${project.name}.`,
})
