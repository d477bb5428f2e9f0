import { z } from 'zod'
import { CLIENT_NAMES } from '../../core/client/clients.ts'
import { AppError } from '../../core/errors.ts'
import { mergeDriverLine } from '../../core/shell-word.ts'
import type { Context } from '../../ports/context.ts'
import type { RegisteredProject } from '../../ports/projects.ts'
import { seedDemo } from '../../record/demo-record.ts'
import { startRecord } from '../../record/start-record.ts'
import { contextFields, makeContextProject } from '../context/init-context.ts'
import { defineOperation, FOR_PEOPLE } from '../operation.ts'
import { addRepositories, namedToExtend } from './add-repositories.ts'

export const init = defineOperation({
  name: 'init',
  title: 'Start a record',
  summary: 'Start a project record here: one config file in the repository, the record in your home.',
  details:
    'With --in-repo the record lives in .ken/record and is committed with the code, so that it branches and merges with it. With --demo it is filled with a small example record to try things on. A project may span several repositories: --add-repo binds them.',
  forPeople: 'Start the record of this project.',
  effect: 'write',
  words: 'own',
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: {
    name: z.string().optional().describe('The project name; the folder name by default.'),
    in_repo: z.boolean().default(false).describe('Keep the record in the repository, under .ken/record.'),
    demo: z.boolean().default(false).describe('Fill it with an example.'),
    context: z
      .boolean()
      .default(false)
      .describe('Make a context project instead, for `ken sync`; the options below are for it.'),
    add_repo: z
      .array(z.string().min(1).max(4096))
      .max(100)
      .optional()
      .describe('Further repositories of the same project; with the name of one that exists, only these are added.'),
    ...contextFields,
  },
  output: {
    id: z.string(),
    name: z.string(),
    mode: z.string(),
    store: z.string(),
    created: z.boolean(),
    repositories: z.array(z.string()).optional().describe('Only with add_repo: all that belong to it now.'),
    from_clone: z.boolean().optional().describe('True when the record came with a clone and is not trusted yet.'),
    next: z.array(z.string()),
  },
  examples: [{ title: 'In this repository', input: {} }],
  async run(ctx, input) {
    if (input.context) {
      const { root, name, created } = await makeContextProject(ctx, input)
      return { id: '', name, mode: 'context', store: root, created: created.includes('ken.yaml'), next: NEXT_CONTEXT }
    }
    const extended = await namedToExtend(ctx, input)
    if (extended !== undefined) return { ...extended, created: false, next: NEXT }
    const repository = await ctx.repository()
    const root = repository?.root ?? ctx.cwd
    const existing = await ctx.projects.find({ directory: root })
    const mode = input.in_repo ? 'repo' : 'local'
    if (
      existing !== undefined &&
      ((input.name !== undefined && input.name !== existing.name) || (input.in_repo && existing.mode !== 'repo'))
    ) {
      throw new AppError('conflict', `${root} already belongs to the project "${existing.name}" (${existing.mode}).`, {
        hint: 'Use it as it is, or take it out with `ken adopt --remove` first.',
      })
    }
    const project =
      existing === undefined
        ? await ctx.projects.create({ name: input.name ?? folderName(root), mode, repository: root })
        : await takeUp(ctx, existing)
    const store = await ctx.record(project)
    const created = await startRecord(ctx, store)
    if (created && input.demo) await seedDemo(ctx, store)
    if (project.mode === 'repo') await registerMergeDriver(ctx)
    const isForeign = project.fromClone === true
    return {
      id: project.id,
      name: project.name,
      mode: project.mode,
      store: store.project.location,
      created,
      ...(input.add_repo && { repositories: await addRepositories(ctx, project, input.add_repo) }),
      ...(isForeign && { from_clone: true }),
      next: isForeign ? [...LOOK_FIRST, ...NEXT] : NEXT,
    }
  },
  render: (output) =>
    [
      `${output.created ? 'Started' : 'There is already'} the ${output.mode === 'context' ? 'context project' : 'record of'} "${output.name}" in ${output.store}`,
      ...(output.repositories ?? []).map((path) => `  repository  ${path}`),
      '',
      'Next:',
      ...output.next.map((step) => `  ${step}`),
    ].join('\n'),
})

/**
 * The user stands in a folder that names its project: a record that lies in it came with the clone, and is the user's
 * once they say so.
 */
async function takeUp(ctx: Context, project: RegisteredProject): Promise<RegisteredProject> {
  const [root] = project.repositories
  const claim = root === undefined ? undefined : await ctx.projects.claim(root)
  if (claim === undefined || claim.bound) return project
  const isOwn =
    !claim.present || (await ctx.confirm?.(`The record of "${claim.name}" came with this clone.\nTake it as yours?`))
  return isOwn ? ctx.projects.bind(claim, claim.repository) : project
}

const LOOK_FIRST = [
  'ken context  look at the record: it came with this clone',
  'ken trust    then take it as yours; until then agents are told where it comes from',
]

const NEXT_CONTEXT = ['ken debug  test every connection', 'ken sync   compile the sources into files']

const NEXT = [
  `ken setup claude-code         connect an agent (${[...CLIENT_NAMES.slice(1), 'all'].join(', ')})`,
  'ken check "your next idea"     see what was decided about it',
  'ken add "…" --rationale "…"    record a decision',
]

/** Git then joins two branches that both changed the record; see docs/guides/in-repo.md. */
async function registerMergeDriver(ctx: Parameters<typeof init.run>[0]): Promise<void> {
  const repository = await ctx.repository()
  await repository?.configure('merge.ken.name', 'Ken record')
  await repository?.configure('merge.ken.driver', mergeDriverLine(ctx.launcher))
}

const folderName = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? 'project'
