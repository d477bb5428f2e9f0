import { GLOBAL, workspaceHash } from '../../kernel/domain/workspace.ts'
import type { Given } from '../../operations/context.ts'

interface Placed {
  readonly workspace: string
  readonly project: string | undefined
}

interface Place {
  /** Value used in a search: the id of a project, a hash, or `global`. */
  readonly value: string
  /** Display name; the hash if the folder is unknown. */
  readonly name: string
}

/** Places of documents. The folders of a project and its record are one place. */
export async function placeNames(
  ctx: Given,
): Promise<((document: Placed) => Place) & { nameOf(value: string): string }> {
  const projects = await ctx.projects.list().catch(() => [])
  const names = new Map<string, string>([[GLOBAL, 'Everywhere']])
  const owners = new Map<string, string>()
  for (const { id, name, repositories } of projects) {
    names.set(id, name)
    for (const root of repositories) owners.set(workspaceHash(root), id)
  }
  for (const root of ctx.workspaceRoots()) {
    const hash = workspaceHash(root)
    if (!owners.has(hash)) names.set(hash, root.split(/[/\\]/).findLast((part) => part !== '') ?? root)
  }
  const nameOf = (value: string): string => names.get(value) ?? value
  const placeOf = ({ workspace, project }: Placed): Place => {
    const value = project ?? owners.get(workspace) ?? workspace
    return { value, name: nameOf(value) }
  }
  return Object.assign(placeOf, { nameOf })
}
