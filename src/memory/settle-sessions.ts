import type { Call } from '../kernel/ports/call.ts'
import { moveSession } from './domain/session/move-session.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'
import { openSessionPlaces, workspaceIn } from './session-places.ts'
import { checkDisk } from './storage-limits.ts'

/**
 * Moves every session to its current workspace, and returns their number. The new file is complete before the old one
 * is removed, so a crash leaves two of them at worst, and the next harvest removes one. The caller holds the lease.
 */
export async function settleSessions(ctx: Call, parts: UpkeepParts): Promise<number> {
  const { archive } = parts
  const sessions = await archive.list()
  const places = openSessionPlaces(parts.workspaces, sessions, await knownFolders(ctx))
  const paths = new Set(sessions.map(({ path }) => path))
  const moved: string[] = []
  for (const session of sessions) {
    const { path } = session
    const current = workspaceIn(path)
    const workspace = places.ofArchived(session)
    if (workspace === current) continue
    const target = `${workspace}${path.slice(current.length)}`
    if (!paths.has(target)) {
      if (moved.length === 0) await checkDisk(ctx, parts)
      const text = await archive.read(path)
      if (text !== undefined) await archive.write(target, moveSession(text, workspace))
      paths.add(target)
    }
    moved.push(path)
  }
  if (moved.length > 0) await archive.remove(moved)
  return moved.length
}

/** Repositories without recorded sessions may still have had worktrees. */
export async function knownFolders({ projects, settings }: Pick<Call, 'projects' | 'settings'>): Promise<string[]> {
  const repositories = (await projects.list()).flatMap((project) => project.repositories)
  return [...repositories, ...(settings.get('codebase.roots').value as string[])]
}
