import { workspaceHash } from '../../core/workspace.ts'
import type { ContextProject } from '../../ports/context-project.ts'
import type { Context } from '../../ports/context.ts'
import { ownerHere } from '../memory/memory-scope.ts'

/** Whose chats, stories and memories these are: the project's that the folder belongs to, or the folder's own. */
export async function projectKey(ctx: Context): Promise<string> {
  const owner = await ownerHere(ctx)
  if (owner.kind === 'project') return owner.id
  return workspaceHash(owner.kind === 'folder' ? owner.path : ctx.cwd)
}

/** The context project around the call; undefined where there is none, for what works without one as well. */
export const contextHere = (ctx: Context): Promise<ContextProject | undefined> =>
  ctx.contextProject().catch((error: unknown) => {
    if ((error as { code?: string }).code === 'not_found') return undefined
    throw error
  })
