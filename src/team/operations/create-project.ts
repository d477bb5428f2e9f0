import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { defineOperation } from '../../operations/operation.ts'
import { startRecord } from '../../record/start-record.ts'
import { ACCESS } from '../domain/role.ts'
import { projectName } from './hosted-project.ts'

export const createProject = defineOperation({
  name: 'create_project',
  title: 'Create a project',
  summary:
    'Make a new project for the team, with an empty record, when the user asks for one. See list_projects first; a name that is there gives that project.',
  searchHint: 'new project for the team',
  details:
    'The creator becomes its admin. An existing name, in any case, returns that project. With empty the record stays empty, so that a record from a machine can be pushed to it.',
  effect: 'write',
  words: 'own',
  needs: ['record', 'team'],
  anywhere: true,
  onServer: {},
  unlisted: ['empty'],
  input: {
    name: projectName,
    access: z
      .enum(ACCESS)
      .optional()
      .describe('Access: organisation (everyone in it, the default) or members (only those added).'),
    empty: z.boolean().default(false).describe('Create no initial files, for a record uploaded from a machine.'),
  },
  output: {
    id: z.string(),
    name: z.string(),
    access: z.enum(ACCESS),
    created: z.boolean().describe('False if it already existed.'),
  },
  examples: [{ title: 'For everyone', input: { name: 'shop' } }],
  async run(ctx, { name, access, empty }) {
    const { projects, caller } = ctx.team
    if (caller.projects !== undefined)
      throw new AppError('forbidden', 'This token is limited to other projects.', { hint: 'Use one for all projects.' })
    const wanted = {
      id: ctx.clock.ulid(),
      organisation: caller.organisation,
      name,
      access: access ?? 'organisation',
      createdAt: ctx.clock.now().toISOString(),
    }
    const made = await projects.create(wanted, caller.person)
    const created = made.id === wanted.id
    if (!created && access !== undefined && made.access !== access)
      throw new AppError('conflict', `A project named ${made.name} already exists, for ${FOR[made.access]}.`, {
        hint: `Use it (${made.id}), or choose another name.`,
      })
    if (created && !empty) {
      const place = { mode: 'cloud', location: '', repositories: [], present: true } as const
      await startRecord(ctx, await ctx.record({ id: made.id, name: made.name, ...place }))
    }
    return { id: made.id, name: made.name, access: made.access, created }
  },
  render: ({ id, name, access, created }) =>
    created ? `Made ${name} (${id}), for ${FOR[access]}.` : `${name} is there already (${id}), for ${FOR[access]}.`,
})

const FOR = { organisation: 'everybody in the organisation', members: 'its members only' } as const
