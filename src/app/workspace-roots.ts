import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The directory itself and the nearest one above it that holds a repository. Asks no git: this runs before every search. */
export function workspaceRoots(directory: string): readonly string[] {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at === directory ? [at] : [directory, at]
    if (dirname(at) === at) return [directory]
  }
}
