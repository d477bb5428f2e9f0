import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Projects } from '../kernel/ports/projects.ts'

/** The directory itself and the nearest parent with a repository. Does not call git: this runs before every search. */
export function workspaceRoots(directory: string): readonly string[] {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at === directory ? [at] : [directory, at]
    if (dirname(at) === at) return [directory]
  }
}

export interface Grants {
  /** Folder in which the user started the server; an agent's claim about its directory grants nothing. */
  readonly startedIn: string | undefined
  readonly projects: Projects
  readonly userHome: string
}

/**
 * Returns the real paths of the folders that an agent may request to be indexed. Clients also start servers in `/` or
 * in the home folder, which grants nothing.
 */
export async function grantedRoots({ startedIn, projects, userHome }: Grants): Promise<readonly string[]> {
  const known = (await projects.list()).flatMap(({ repositories }) => repositories)
  const roots = [...(startedIn === undefined ? [] : workspaceRoots(startedIn)), ...known].flatMap(realPath)
  const [home = userHome] = realPath(userHome)
  return [...new Set(roots)].filter(
    (root) => home !== root && !home.startsWith(root.endsWith(sep) ? root : `${root}${sep}`),
  )
}

function realPath(path: string): string[] {
  try {
    return [realpathSync(path)]
  } catch {
    return []
  }
}
