import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Projects } from '../kernel/ports/projects.ts'

/**
 * The directory itself and the nearest one above it that holds a repository. Asks no git: this runs before every
 * search.
 */
export function workspaceRoots(directory: string): readonly string[] {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at === directory ? [at] : [directory, at]
    if (dirname(at) === at) return [directory]
  }
}

export interface Grants {
  /** Where the user started the server; what an agent says of its directory grants nothing. */
  readonly startedIn: string | undefined
  readonly projects: Projects
  readonly userHome: string
}

/**
 * The real paths of the folders that an agent may have indexed. Clients start servers in `/` or in the home as well:
 * that grants nothing.
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
