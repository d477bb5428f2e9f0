import { GLOBAL, workspaceHash } from '../kernel/domain/workspace.ts'
import type { Workspaces } from '../kernel/ports/workspaces.ts'
import type { HarvestedSession } from './domain/session/session.ts'
import type { ArchivedSession } from './ports/session-archive.ts'

type Recorded = Pick<HarvestedSession, 'projectDir' | 'projectHash'>

/** Determines the workspace of a new or archived session. */
export interface SessionPlaces {
  /** `current` is the place of an earlier copy of the session. */
  ofNew(session: Recorded, current: string | undefined): string
  ofArchived(session: ArchivedSession): string
}

/**
 * A session belongs to the repository of the folder that the client recorded. The repository found for a folder stays
 * valid after the folder is deleted, so the archive stores it.
 */
export function openSessionPlaces(
  workspaces: Workspaces,
  archived: readonly ArchivedSession[],
  otherFolders: readonly string[],
): SessionPlaces {
  const folders = new Set([...archived.flatMap(({ project }) => project ?? []), ...otherFolders])
  const roots = new Map(
    [...folders].filter(workspaces.exists).map((folder) => [folder, workspaces.rootOf(folder)] as const),
  )
  const repositories = [...new Set([...roots.keys()].flatMap((folder) => workspaces.repositoryOf(folder) ?? []))]
  const byHash = new Map([...roots].map(([folder, root]) => [workspaceHash(folder), workspaceHash(root)]))
  const learned = new Map<string, string>()
  for (const { project, path } of archived)
    if (project !== null && workspaceIn(path) !== workspaceHash(project)) learned.set(project, workspaceIn(path))

  return {
    ofNew({ projectDir, projectHash }, current) {
      if (projectDir !== null)
        return workspaces.exists(projectDir)
          ? workspaceHash(workspaces.rootOf(projectDir))
          : (current ?? learned.get(projectDir) ?? workspaceHash(projectDir))
      const hash = projectHash !== null && /^[0-9a-f]{64}$/.test(projectHash) ? projectHash.slice(0, 12) : GLOBAL
      return byHash.get(hash) ?? hash
    },
    ofArchived({ project, path, ended }) {
      const current = workspaceIn(path)
      if (project === null) return byHash.get(current) ?? current
      const root = roots.get(project)
      if (root !== undefined) return workspaceHash(root)
      // Looked up per session: a list of worktrees that came with an archive is valid only for later conversations.
      const told =
        current === workspaceHash(project)
          ? workspaces.repositoryOfGone(project, new Date(ended), repositories)
          : undefined
      return told === undefined ? current : workspaceHash(told)
    },
  }
}

export const workspaceIn = (path: string): string => path.slice(0, path.indexOf('/'))
