import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { CONFIRM_OR_YES, NO_CHANGES } from '../../kernel/domain/phrases.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import { refuseOnPage } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { exportAdr } from './export-adr.ts'

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
  summary: 'List the projects on this machine.',
  effect: 'read',
  words: 'own',
  needs: [],
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
  summary: 'Remove a project from the list; its record stays on disk.',
  details:
    '`ken adopt --project <id>` brings a forgotten project back. `ken projects delete`, or --delete-record, deletes its record, journal and snapshots for good and releases its repositories; it asks first, and offers to export the decisions.',
  effect: 'write',
  fromPage: 'free',
  destructive: true,
  words: 'own',
  needs: ['machine', 'record'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['project'],
  input: {
    project: z.string().min(1).describe('Id or unique name.'),
    delete_record: z.boolean().default(false).describe('Also delete its record for good.'),
    export: z.string().min(1).max(4096).optional().describe('First write its decisions as ADRs into this folder.'),
    yes: z.boolean().default(false).describe('Delete without asking.'),
  },
  output: {
    id: z.string(),
    name: z.string(),
    store: z.string(),
    deleted: z.boolean(),
    exported: z.string().optional().describe('The folder with its decisions.'),
  },
  examples: [{ title: 'By name', input: { project: 'old-shop' } }],
  async run(ctx, input) {
    refuseOnPage(ctx, 'delete_record', input.delete_record)
    refuseOnPage(ctx, 'export', input.export !== undefined)
    const found = await ctx.projects.find({ project: input.project, directory: ctx.cwd })
    if (found === undefined)
      throw new AppError('not_found', `No project "${input.project}".`, { hint: 'List projects with `ken projects`.' })
    const isDeleted = input.delete_record
    const isAsking = isDeleted && !input.yes && input.export === undefined
    const folder = input.export ?? (isAsking ? await ctx.ask?.(EXPORT_QUESTION) : undefined) ?? ''
    if (folder !== '') await exportAdr.run(ctx, { folder, format: 'madr', force: false, project_id: found.id })
    if (isDeleted && !input.yes && (await ctx.confirm?.(deleteQuestion(found))) !== true)
      throw new AppError('stopped', NO_CHANGES, { hint: CONFIRM_OR_YES })
    await ctx.projects.remove(found.id, isDeleted ? 'delete' : 'keep')
    const exported = folder === '' ? {} : { exported: folder }
    return { id: found.id, name: found.name, store: found.location, deleted: isDeleted, ...exported }
  },
  render: ({ id, name, store, deleted, exported }) =>
    [
      ...(exported === undefined ? [] : [`Exported its decisions to ${exported}.`]),
      deleted
        ? `Deleted "${name}" (${id}) and its record in ${store}.`
        : `Forgot "${name}" (${id}). Its record is still in ${store}.`,
    ].join('\n'),
})

const EXPORT_QUESTION = 'Export its decisions as ADRs first? (a folder, or empty for no)'

const deleteQuestion = ({ name, location }: RegisteredProject): string =>
  `Delete "${name}" and its record in ${location}, with journal and snapshots? This cannot be undone.`
