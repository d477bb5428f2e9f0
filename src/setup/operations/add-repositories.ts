import { AppError } from '../../kernel/domain/errors.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Given } from '../../operations/context.ts'
import { fromHere } from '../../record/import-source.ts'

/**
 * `ken init shop --add-repo ../api` with an existing project shop adds the repository to it, and does not touch the
 * current folder.
 */
export async function namedToExtend(
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

/** Binds further repositories to a project, all or none, and returns all of the project's repositories. */
export async function addRepositories(
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
