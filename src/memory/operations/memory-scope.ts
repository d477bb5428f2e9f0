import { z } from 'zod'
import { unknownName } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { GLOBAL, isWorkspaceHash, workspaceHash } from '../../kernel/domain/workspace.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { forPeople } from '../../operations/operation.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { NoteOwner } from '../domain/note/note-owner.ts'

/** The workspace to search; a field of every operation that reads the index. */
export const workspaceField = {
  workspace: z
    .string()
    .max(1000)
    .optional()
    .describe('Another project or folder, or all.')
    .meta(forPeople('Default: here and global; or all, a hash, folder, project.')),
}

/** The same field, without its description, for operations that read search results. */
export const sameWorkspaceField = { workspace: z.string().max(1000).optional() }

/** The workspaces and projects that a call covers; undefined means all, which the caller must request explicitly. */
export async function withinOf(ctx: Given<'memory'>, named: string | undefined): Promise<SearchScope['within']> {
  const workspace = named?.trim() ?? ''
  const word = workspace.toLowerCase()
  if (word === 'all' || word === '*') return undefined
  if (HERE.has(word)) return withinHere(ctx)
  if (word === GLOBAL) return { workspaces: [GLOBAL], projects: [] }
  if (isWorkspaceHash(word)) return withinWorkspace(ctx, [word], workspace)
  const project = await ctx.projects.find({ directory: ctx.cwd, project: workspace })
  if (project !== undefined)
    return {
      workspaces: [...new Set(project.repositories.flatMap((root) => hashesOf(ctx, root))), GLOBAL],
      projects: [project.id],
    }
  if (/^(?:[/\\~]|[A-Za-z]:|\.{1,2}(?:[/\\]|$))/.test(workspace))
    return withinWorkspace(ctx, hashesOf(ctx, machineOf(ctx).pathNamed(workspace)), workspace)
  throw await unknownWorkspace(ctx, workspace)
}

const HERE = new Set(['', 'current', 'here', 'default', 'this'])

async function withinHere(ctx: Given): Promise<SearchScope['within']> {
  const project = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
  const named = [...ctx.workspaceRoots(), ...(project?.repositories ?? [])]
  const roots = [...named, ...named.map(ctx.workspaces.rootOf)]
  const parts = (ctx.settings.get('codebase.roots').value as string[]).filter((part) =>
    roots.some((root) => isInside(part, root)),
  )
  // The id in a clone is chosen by its author and may be that of another project on this machine.
  return {
    workspaces: [...new Set([...roots, ...parts].map(workspaceHash)), GLOBAL],
    projects: project === undefined || project.fromClone === true ? [] : [project.id],
  }
}

/**
 * One line on why a search here does not cover the project that the folder claims to belong to, e.g. after the
 * repository was renamed; empty if it does.
 */
export async function whyNotCovered(ctx: Given, named: string | undefined): Promise<string[]> {
  if (!HERE.has(named?.trim().toLowerCase() ?? '')) return []
  try {
    await ctx.projects.find({ directory: ctx.cwd })
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [error.line]
  }
}

/** Hashes of a folder and of its repository. */
const hashesOf = (ctx: Given, folder: string): string[] => [
  ...new Set([folder, ctx.workspaces.rootOf(folder)].map(workspaceHash)),
]

async function withinWorkspace(
  ctx: Given<'memory'>,
  hashes: readonly string[],
  named: string,
): Promise<SearchScope['within']> {
  const isMeant = (root: string): boolean => hashes.includes(workspaceHash(root))
  const bound = (await ctx.projects.list()).filter(({ repositories }) => repositories.some(isMeant))
  const known = (await (await ctx.memory()).status()).byWorkspace
  const isKnown =
    bound.length > 0 || ctx.workspaceRoots().some(isMeant) || hashes.some((hash) => Object.hasOwn(known, hash))
  if (!isKnown) throw await unknownWorkspace(ctx, named)
  return { workspaces: [...hashes, GLOBAL], projects: bound.map(({ id }) => id) }
}

const unknownWorkspace = async (ctx: Given, named: string): Promise<AppError> =>
  unknownName(
    'workspace',
    named,
    (await ctx.projects.list()).map(({ name }) => name),
    `Or use "all", a folder, or a 12-digit hash from ${operationNamed('memory_status')}.`,
  )

/** Owner of a note written here: the project, or the enclosing repository if there is none. */
export async function ownerHere(ctx: Given): Promise<NoteOwner> {
  const project = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
  if (project !== undefined && project.fromClone !== true)
    return { kind: 'project', id: project.id, name: project.name }
  return { kind: 'folder', path: ctx.workspaces.rootOf(ctx.cwd) }
}

/** Code may have been indexed from a part of a repository. */
const isInside = (path: string, root: string): boolean => path.startsWith(root.endsWith('/') ? root : `${root}/`)
