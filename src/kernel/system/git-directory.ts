import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readPlainFile } from './plain-file.ts'

export interface GitDirectory {
  /** The root of the working tree. */
  readonly worktree: string
  /** Git directory of this working tree. */
  readonly own: string
  /** Git directory shared by all worktrees of a repository. */
  readonly common: string
}

/**
 * Git directory of the working tree around a folder, found without running git; undefined outside of one. A `.git` file
 * only counts if the directory it names points back to it: an archive could contain one that points at one of the
 * user's repositories.
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

/** Git directory of a linked worktree or a submodule. */
function linkedDirectory(worktree: string, git: string): GitDirectory | undefined {
  const named = /^gitdir: (.+)$/m.exec(read(git) ?? '')?.[1]
  if (named === undefined) return undefined
  const own = resolve(worktree, named)
  const back = read(join(own, 'gitdir'))?.trim()
  if (back !== undefined && isSame(resolve(own, back), git)) {
    const common = resolve(own, read(join(own, 'commondir'))?.trim() ?? '.')
    // A forged directory shipped with the .git file also points back, and could name any repository as its common one.
    return isSame(join(common, 'worktrees', basename(own)), own) ? { worktree, own, common } : undefined
  }
  const module = /^\s*worktree\s*=\s*(.+)$/m.exec(read(join(own, 'config')) ?? '')?.[1]?.trim()
  return module !== undefined && isSame(resolve(own, module), worktree) ? { worktree, own, common: own } : undefined
}

const LARGEST = 1 << 16

const read = (path: string): string | undefined => readPlainFile(path, LARGEST)?.toString('utf8')

const isSame = (a: string, b: string): boolean => existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b)
