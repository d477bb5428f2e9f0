import { z } from 'zod'
import {
  contextFields,
  contextOutput,
  makeContextProject,
  nextSteps,
  renderSources,
} from '../../context/operations/init-context.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { refuseLost } from '../../kernel/domain/project/disconnected.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, AT_A_TERMINAL } from '../../operations/operation.ts'
import { seedDemo } from '../../record/demo-record.ts'
import { fromHere } from '../../record/import-source.ts'
import { registerMergeDriver } from '../../record/merge-driver.ts'
import { startRecord } from '../../record/start-record.ts'
import { CLIENT_NAMES } from '../domain/clients.ts'
import { attach } from './attach.ts'

export const init = defineOperation({
  name: 'init',
  title: 'Start a record',
  summary: 'Start a record here: one config file in the repository, the rest in your home.',
  details:
    'With --in-repo the record lives in .ken/record and is committed with the code, so that it branches and merges with it. With --demo it is filled with a small example record to try things on. A project may span several repositories: --add-repo binds them.',
  forPeople: 'Start a record for this repository.',
  effect: 'write',
  words: 'own',
  needs: ['context', 'machine', 'record'],
  asGiven: true,
  hiddenFrom: AT_A_TERMINAL,
  positional: ['name'],
  input: {
    name: z.string().optional().describe('The project name; the folder name by default.'),
    in_repo: z.boolean().default(false).describe('Keep the record in the repository, under .ken/record.'),
    demo: z.boolean().default(false).describe('Fill it with example decisions.'),
    context: z
      .boolean()
      .default(false)
      .describe('Create a context project instead, for `ken sync`; the options below apply to it.'),
    add_repo: z
      .array(z.string().min(1).max(4096))
      .max(100)
      .optional()
      .describe('More repositories of the same project; with an existing project’s name, only adds them.'),
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
    former: z.string().optional().describe('A project of the same name that no repository belongs to any more.'),
    added: contextOutput.added.optional(),
    found: contextOutput.found.optional(),
    next: z.array(z.string()),
  },
  examples: [{ title: 'In this repository', input: {} }],
  async run(ctx, input) {
    if (input.context) {
      const { root, name, created, added, found } = await makeContextProject(ctx, input)
      const next = [...nextSteps({ added, found })]
      return { id: '', name, mode: 'context', store: root, created: created.includes('ken.yaml'), added, found, next }
    }
    const extended = await namedToExtend(ctx, input)
    if (extended !== undefined) return { ...extended, created: false, next: NEXT }
    const repository = await ctx.repository()
    const root = repository?.root ?? ctx.cwd
    const existing = await projectHere(ctx, root)
    if (existing !== undefined) refuseLost(existing)
    const mode = input.in_repo ? 'repo' : 'local'
    if (
      existing !== undefined &&
      ((input.name !== undefined && input.name !== existing.name) || (input.in_repo && existing.mode !== 'repo'))
    ) {
      throw new AppError('conflict', `${root} already belongs to the project "${existing.name}" (${existing.mode}).`, {
        hint: 'Use it as it is, or run `ken adopt --remove` first.',
      })
    }
    const name = input.name ?? folderName(root)
    const former = existing === undefined && mode === 'local' ? await formerProject(ctx, name) : undefined
    const isBack = former !== undefined && (await ctx.confirm?.(formerQuestion(former))) === true
    const project =
      existing !== undefined
        ? await takeUp(ctx, existing)
        : isBack
          ? await ctx.projects.bind(former, root)
          : await ctx.projects.create({ name, mode, repository: root })
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
      ...(former !== undefined && !isBack && { former: former.id }),
      next: isForeign ? [...LOOK_FIRST, ...NEXT] : NEXT,
    }
  },
  render: (output, _input, view = PLAIN) =>
    [
      `${output.created ? 'Started' : 'There is already'} the ${output.mode === 'context' ? 'context project' : 'record of'} "${output.name}" in ${output.store}`,
      ...(output.repositories ?? []).map((path) => `  repository  ${path}`),
      ...(output.former === undefined
        ? []
        : [
            `An earlier project "${output.name}" has no repository any more: \`ken adopt --remove\`, then \`ken adopt --project ${output.former}\` binds it here instead.`,
          ]),
      ...renderSources({ added: output.added ?? [], found: output.found ?? [] }, view),
      '',
      'Next:',
      ...output.next.map((step) => `  ${step}`),
    ].join('\n'),
})

/**
 * A second clone of a repository with a record in the user's home is bound after the same confirmation as in `ken
 * attach`; without a prompt it is refused.
 */
async function projectHere(ctx: Given<'machine' | 'record'>, root: string): Promise<RegisteredProject | undefined> {
  try {
    return await ctx.projects.find({ directory: root })
  } catch (error) {
    const isUnbound = error instanceof AppError && error.code === 'forbidden'
    if (!isUnbound || ctx.confirm === undefined) throw error
    if ((await attach.run(ctx, { yes: false })).outcome !== 'attached') throw error
    return ctx.projects.find({ directory: root })
  }
}

/**
 * The user is in a folder that names its project: a record in it came with the clone, and becomes the user's once they
 * confirm.
 */
async function takeUp(ctx: Given, project: RegisteredProject): Promise<RegisteredProject> {
  const [root] = project.repositories
  const claim = root === undefined ? undefined : await ctx.projects.claim(root)
  if (claim === undefined || claim.bound) return project
  const isOwn = await ctx.confirm?.(`The record of "${claim.name}" came with this clone.\nTake it as yours?`)
  return isOwn ? ctx.projects.bind(claim, claim.repository) : project
}

/** A project without a repository that has the name of the new one. */
async function formerProject(ctx: Given, name: string): Promise<RegisteredProject | undefined> {
  const all = await ctx.projects.list()
  const released = all.filter((one) => one.name === name && one.present && one.repositories.length === 0)
  return released.length === 1 ? released[0] : undefined
}

const formerQuestion = ({ name, location }: RegisteredProject): string =>
  `An earlier project "${name}" has no repository any more; its record is in ${location}.\nUse it here again?`

const LOOK_FIRST = [
  'ken context  look at the record: it came with this clone',
  'ken trust    then take it as yours; until then agents are told where it comes from',
]

const NEXT = [
  `ken setup claude-code         connect an agent (${[...CLIENT_NAMES.slice(1), 'all'].join(', ')})`,
  'ken check "your next idea"     see what was decided about it',
  'ken add "…" --rationale "…"    record a decision',
]

const folderName = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? 'project'

/**
 * If the project shop exists, `ken init shop --add-repo ../api` adds the repository to it, and does not touch the
 * current folder.
 */
async function namedToExtend(
  ctx: Given<'machine'>,
  { name, add_repo }: { name?: string | undefined; add_repo?: readonly string[] | undefined },
): Promise<{ id: string; name: string; mode: string; store: string; repositories: string[] } | undefined> {
  if (name === undefined || add_repo === undefined) return undefined
  const known = (await ctx.projects.list()).filter((project) => project.name === name)
  if (known.length > 1)
    throw new AppError('conflict', `${known.length} projects are named "${name}".`, {
      hint: 'Run this in a repository of the right project, without the name.',
    })
  const [project] = known
  if (project === undefined) return undefined
  const repositories = await addRepositories(ctx, project, add_repo)
  return { id: project.id, name: project.name, mode: project.mode, store: project.location, repositories }
}

/** Binds further repositories to a project atomically, and returns all of the project's repositories. */
async function addRepositories(
  ctx: Given<'machine'>,
  project: RegisteredProject,
  paths: readonly string[],
): Promise<string[]> {
  if (project.mode === 'repo')
    throw new AppError('invalid_input', `The record of "${project.name}" lives in its repository.`, {
      hint: 'Only a record in the Ken home can span several repositories.',
    })
  const roots = await Promise.all(paths.map((path) => folderNamed(ctx, path, project)))
  for (const root of roots) await ctx.projects.bind(project, root)
  return [...((await ctx.projects.list()).find(({ id }) => id === project.id)?.repositories ?? [])]
}

async function folderNamed(ctx: Given<'machine'>, path: string, project: RegisteredProject): Promise<string> {
  const root = await ctx.files.folder(fromHere(ctx, path))
  if (root === undefined) throw new AppError('not_found', `Folder ${path} not found.`, { hint: 'Check the path.' })
  const claim = await ctx.projects.claim(root)
  if (claim !== undefined && claim.id !== project.id && claim.repository === root)
    throw new AppError('conflict', `${root} already belongs to the project "${claim.name}".`, {
      hint: 'Run `ken adopt --remove` first.',
    })
  return root
}
