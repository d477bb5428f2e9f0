import type { ContextProject } from '../../context/ports/context-project.ts'
import { workspaceHash } from '../../kernel/domain/workspace.ts'
import { ownerHere } from '../../memory/operations/memory-scope.ts'
import type { Given } from '../../operations/context.ts'

/** Key of the owner of chats, stories and memories: the project that the folder belongs to, or the folder itself. */
export async function projectKey(ctx: Given): Promise<string> {
  const owner = await ownerHere(ctx)
  if (owner.kind === 'project') return owner.id
  return workspaceHash(owner.kind === 'folder' ? owner.path : ctx.cwd)
}

/** The context project around the call; undefined if there is none, for operations that work without one. */
export const contextHere = (ctx: Given<'context'>): Promise<ContextProject | undefined> =>
  ctx.contextProject().catch((error: unknown) => {
    if ((error as { code?: string }).code === 'not_found') return undefined
    throw error
  })
