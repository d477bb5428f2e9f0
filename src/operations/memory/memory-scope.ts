import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { operationNamed } from '../../core/named-operation.ts'
import type { NoteOwner } from '../../core/note/note-owner.ts'
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
    const roots = [...ctx.workspaceRoots(), ...(project?.repositories ?? [])]
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
  if (/^(?:[/\\]|[A-Za-z]:)/.test(workspace)) return withinOf(ctx, workspaceHash(workspace.replace(/(.)[/\\]+$/, '$1')))
  const project = await ctx.projects.find({ directory: ctx.cwd, project: workspace })
  if (project === undefined) {
    throw new AppError('not_found', `There is no workspace "${workspace}".`, {
      hint: `Use "all", a folder, a 12-digit hash from ${operationNamed('memory_status')}, or a project that \`ken projects\` lists.`,
    })
  }
  return { workspaces: [...project.repositories.map(workspaceHash), GLOBAL], projects: [project.id] }
}

/**
 * Whose a note is that is written here: the project's, or where there is none that of the repository around, which is
 * the last of the roots.
 */
export async function ownerHere(ctx: Context): Promise<NoteOwner> {
  const project = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
  if (project !== undefined && project.fromClone !== true)
    return { kind: 'project', id: project.id, name: project.name }
  return { kind: 'folder', path: ctx.workspaceRoots().at(-1)! }
}

/** Code may have been indexed from a part of a repository. */
const isInside = (path: string, root: string): boolean => path.startsWith(root.endsWith('/') ? root : `${root}/`)
