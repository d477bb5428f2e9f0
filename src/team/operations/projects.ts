import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { ACCESS } from '../domain/role.ts'
import { hostedProject, projectOf, projectName } from './hosted-project.ts'
import { namedProject } from './named-in-team.ts'

export const projectChange = defineOperation({
  name: 'project_change',
  title: 'Change a project',
  summary: 'Rename a project, or set its access: whole organisation or members only.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { name: projectName.optional(), access: z.enum(ACCESS).optional(), ...projectField },
  output: { ...hostedProject, access: z.enum(ACCESS) },
  examples: [{ title: 'Another name', input: { name: 'web shop' } }],
  async run(ctx, { name, access, project_id }) {
    const { projects, caller } = ctx.team
    if (name === undefined && access === undefined)
      throw new AppError('invalid_input', 'No changes given.', { hint: 'Pass a name or an access.' })
    const { id } = await namedProject(ctx, project_id)
    const all = await projects.list(caller.person)
    // Projects of the same name could be distinguished only by id. Compares only with projects that the caller may see.
    if (name !== undefined && all.some((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase()))
      throw new AppError('conflict', `A project named ${name} already exists.`, { hint: 'Choose another name.' })
    const changed = await projects.change(caller.organisation, id, {
      ...(name !== undefined && { name }),
      ...(access !== undefined && { access }),
    })
    return { ...projectOf({ project: changed }), access: changed.access }
  },
  render: ({ project, access }) =>
    `${project.name} is for ${access === 'organisation' ? 'everybody in the organisation' : 'its members only'}.`,
})

export const projectArchive = defineOperation({
  name: 'project_archive',
  title: 'Archive a project',
  summary: 'Archive a project: hides it until it is unarchived.',
  effect: 'write',
  destructive: true,
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { project_id: z.string().min(1).max(200).describe('Id or name.') },
  output: hostedProject,
  examples: [{ title: 'By name', input: { project_id: 'old shop' } }],
  async run(ctx, { project_id }) {
    const { projects, caller } = ctx.team
    const project = await namedProject(ctx, project_id)
    await projects.change(caller.organisation, project.id, { archivedAt: ctx.clock.now().toISOString() })
    return projectOf({ project })
  },
  render: ({ project }) => `${project.name} is archived.`,
})

export const projectUnarchive = defineOperation({
  name: 'project_unarchive',
  title: 'Bring a project back',
  summary: 'Unarchive a project, with its previous access.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { id: z.string().min(1).max(64) },
  output: hostedProject,
  examples: [{ title: 'By id', input: { id: '01K0PR0JECT000000000000001' } }],
  async run(ctx, { id }) {
    const { projects, caller } = ctx.team
    const [archived, there] = [await projects.archived(caller.organisation), await projects.list(caller.person)]
    const found = archived.find((one) => one.id === id)
    if (found === undefined) throw new AppError('not_found', 'No archived project has this id.')
    if (there.some(({ name }) => name.toLowerCase() === found.name.toLowerCase()))
      throw new AppError('conflict', `A project named ${found.name} now exists.`, {
        hint: 'Rename the existing one first.',
      })
    return projectOf({ project: await projects.change(caller.organisation, id, { archivedAt: null }) })
  },
  render: ({ project }) => `${project.name} is back.`,
})

export const projectsArchived = defineOperation({
  name: 'projects_archived',
  title: 'List archived projects',
  summary: 'List archived projects by name.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  anywhere: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: { projects: z.array(hostedProject.project) },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { projects, caller } = ctx.team
    return { projects: (await projects.archived(caller.organisation)).map(({ id, name }) => ({ id, name })) }
  },
  render: ({ projects }) =>
    projects.length === 0 ? 'No project is archived.' : projects.map(({ id, name }) => `${name}  ${id}`).join('\n'),
})
