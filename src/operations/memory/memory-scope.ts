import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { operationNamed } from '../../core/named-operation.ts'
import type { SearchScope } from '../../core/ranking/indexed-document.ts'
import { GLOBAL, isWorkspaceHash, workspaceHash } from '../../core/workspace.ts'
import type { Context } from '../../ports/context.ts'

/** For every operation that reads the index: whose documents it may see. */
export const workspaceField = {
  workspace: z.string().max(1000).optional().describe('Default: here and global; or all, a hash, folder, project.'),
}

/** The same for reading what a search found; its words are said there. */
export const sameWorkspaceField = { workspace: z.string().max(1000).optional() }

/** The workspaces and projects that a call is about; undefined: all of them, which only a caller that says so gets. */
export async function withinOf(ctx: Context, workspace: string | undefined): Promise<SearchScope['within']> {
  if (workspace === 'all') return undefined
  if (workspace === undefined || workspace === '' || workspace === 'current') {
    const project = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
    const named = [...ctx.workspaceRoots(), ...(project?.repositories ?? [])]
    const roots = [...named, ...named.map(ctx.workspaces.rootOf)]
    const parts = (ctx.settings.get('codebase.roots').value as string[]).filter((part) =>
      roots.some((root) => isInside(part, root)),
    )
    // The id in a clone is the stranger's choice: it may be that of another project here.
    return {
      workspaces: [...new Set([...roots, ...parts].map(workspaceHash)), GLOBAL],
      projects: project === undefined || project.fromClone === true ? [] : [project.id],
    }
  }
  if (workspace === GLOBAL) return { workspaces: [GLOBAL], projects: [] }
  if (isWorkspaceHash(workspace)) {
    const bound = (await ctx.projects.list()).filter(({ repositories }) =>
      repositories.some((root) => workspaceHash(root) === workspace),
    )
    return { workspaces: [workspace, GLOBAL], projects: bound.map(({ id }) => id) }
  }
  if (/^(?:[/\\]|[A-Za-z]:)/.test(workspace)) {
    const folder = workspace.replace(/(.)[/\\]+$/, '$1')
    const [own, whole] = await Promise.all(
      [folder, ctx.workspaces.rootOf(folder)].map((root) => withinOf(ctx, workspaceHash(root))),
    )
    return {
      workspaces: [...new Set([...own!.workspaces, ...whole!.workspaces])],
      projects: [...new Set([...own!.projects, ...whole!.projects])],
    }
  }
  const project = await ctx.projects.find({ directory: ctx.cwd, project: workspace })
  if (project === undefined) {
    throw new AppError('not_found', `There is no workspace "${workspace}".`, {
      hint: `Use "all", a folder, a 12-digit hash from ${operationNamed('memory_status')}, or a project that \`ken projects\` lists.`,
    })
  }
  const roots = new Set(project.repositories.flatMap((root) => [root, ctx.workspaces.rootOf(root)]))
  return { workspaces: [...[...roots].map(workspaceHash), GLOBAL], projects: [project.id] }
}

/** Code may have been indexed from a part of a repository. */
const isInside = (path: string, root: string): boolean => path.startsWith(root.endsWith('/') ? root : `${root}/`)
