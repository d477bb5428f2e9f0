import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { fieldNamed } from '../../core/named-operation.ts'
import { table } from '../../core/view/table.ts'
import { PLAIN } from '../../core/view/view.ts'
import type { RegisteredProject } from '../../ports/projects.ts'
import { defineOperation, FOR_PEOPLE } from '../operation.ts'
import { refuseOnPage } from '../refuse-on-page.ts'

const projectRow = z.object({
  id: z.string(),
  name: z.string(),
  mode: z.string(),
  store: z.string(),
  repositories: z.array(z.string()),
  present: z.boolean(),
  current: z.boolean(),
})

export const listProjects = defineOperation({
  name: 'list_projects',
  title: 'List projects',
  summary: 'The projects this machine knows.',
  effect: 'read',
  words: 'own',
  anywhere: true,
  hiddenFrom: { mcp: 'A local server belongs to the project of its working directory, so there is nothing to choose.' },
  onServer: {
    summary: 'List the projects you may use here. Call it when a call needs a project_id and none was named.',
    hiddenFrom: {},
  },
  input: {},
  output: { projects: z.array(projectRow) },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const here = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
    const projects = await ctx.projects.list()
    return {
      projects: projects.map((p) => ({
        id: p.id,
        name: p.name,
        mode: p.mode,
        store: p.location,
        repositories: [...p.repositories],
        present: p.present,
        current: p.id === here?.id,
      })),
    }
  },
  render(output, _input, view = PLAIN) {
    if (output.projects.length === 0) return 'No projects yet. Run `ken init` in a repository.'
    const lines = table(
      output.projects.map((p) => [p.name, p.id, p.mode, p.present ? '' : '(record missing)']),
      [{ shrinks: true, tone: 'title' }, {}, { tone: 'dim' }, { tone: 'bad' }],
      view,
      '  ',
    )
    return output.projects
      .map(({ current, store }, at) => `${current ? '*' : ' '}${lines[at]!.slice(1)}\n    ${view.mark('dim', store)}`)
      .join('\n')
  },
})

export const removeProject = defineOperation({
  name: 'remove_project',
  title: 'Forget a project',
  summary: 'Take a project off the list; its record stays on disk.',
  details:
    '`ken adopt --project <id>` brings a forgotten project back. --delete-record deletes its record, journal and snapshots for good and releases its repositories; it asks first.',
  effect: 'write',
  fromPage: 'free',
  destructive: true,
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
  positional: ['project'],
  input: {
    project: z.string().min(1).describe('Id or unique name.'),
    delete_record: z.boolean().default(false).describe('Also delete its record for good.'),
    yes: z.boolean().default(false).describe('Delete without asking.'),
  },
  output: { id: z.string(), name: z.string(), store: z.string(), deleted: z.boolean() },
  examples: [{ title: 'By name', input: { project: 'old-shop' } }],
  async run(ctx, input) {
    refuseOnPage(ctx, 'delete_record', input.delete_record)
    const found = await ctx.projects.find({ project: input.project, directory: ctx.cwd })
    if (found === undefined)
      throw new AppError('not_found', `No project "${input.project}".`, { hint: '`ken projects` lists them.' })
    const isDeleted = input.delete_record
    if (isDeleted && !input.yes && (await ctx.confirm?.(deleteQuestion(found))) !== true)
      throw new AppError('stopped', 'No changes.', { hint: `Confirm interactively or pass ${fieldNamed('yes')}.` })
    await ctx.projects.remove(found.id, isDeleted ? 'delete' : 'keep')
    return { id: found.id, name: found.name, store: found.location, deleted: isDeleted }
  },
  render: ({ id, name, store, deleted }) =>
    deleted
      ? `Deleted "${name}" (${id}) and its record in ${store}.`
      : `Forgot "${name}" (${id}). Its record is still in ${store}.`,
})

const deleteQuestion = ({ name, location }: RegisteredProject): string =>
  `Delete "${name}" and its record in ${location}, with journal and snapshots? This cannot be undone.`
