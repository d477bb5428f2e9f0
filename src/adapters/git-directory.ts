import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface GitDirectory {
  /** The root of the working tree. */
  readonly worktree: string
  /** The working tree's own directory of git. */
  readonly own: string
  /** The one that all worktrees of a repository share. */
  readonly common: string
}

/**
 * Git's directory for the working tree around a folder, without running git; undefined outside of one. A `.git` file
 * only counts where the directory it names points back to it: anyone can pack one into an archive that points at a
 * repository of the user's.
 */
export function gitDirectoryAround(folder: string): GitDirectory | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git')
    const found = lstatSync(git, { throwIfNoEntry: false })
    if (found?.isDirectory()) return { worktree: at, own: git, common: git }
    if (found?.isFile()) return linkedDirectory(at, git)
    if (dirname(at) === at) return undefined
  }
}

/** A linked worktree, or a submodule. */
function linkedDirectory(worktree: string, git: string): GitDirectory | undefined {
  const named = /^gitdir: (.+)$/m.exec(read(git) ?? '')?.[1]
  if (named === undefined) return undefined
  const own = resolve(worktree, named)
  const back = read(join(own, 'gitdir'))?.trim()
  if (back !== undefined && isSame(resolve(own, back), git))
    return { worktree, own, common: resolve(own, read(join(own, 'commondir'))?.trim() ?? '.') }
  const module = /^\s*worktree\s*=\s*(.+)$/m.exec(read(join(own, 'config')) ?? '')?.[1]?.trim()
  return module !== undefined && isSame(resolve(own, module), worktree) ? { worktree, own, common: own } : undefined
}

const read = (path: string): string | undefined =>
  existsSync(path) && lstatSync(path).isFile() ? readFileSync(path, 'utf8') : undefined

const isSame = (a: string, b: string): boolean => existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b)
