import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { Workspaces } from '../../kernel/ports/workspaces.ts'
import { gitDirectoryAround } from '../../kernel/system/git-directory.ts'
import { readPlainFile } from '../../kernel/system/plain-file.ts'

const LONGEST_PATH = 1 << 14

/** Reads git's files instead of running git, because this precedes every search. */
export function openGitWorkspaces({ userHome }: { readonly userHome: string }): Workspaces {
  const home = real(userHome)

  function repositoryOf(folder: string): string | undefined {
    if (!isFolder(folder)) return undefined
    const here = real(folder)
    const tree = treeAround(here)
    if (tree === undefined) return undefined
    // Settings in the home folder are often kept in git; that does not make the whole home folder one project.
    const root = mainTree(tree)
    return isWithin(home, root) && here !== root ? undefined : root
  }

  return {
    exists: isFolder,
    rootOf: (folder) => repositoryOf(folder) ?? folder,
    repositoryOf,
    repositoryOfGone(folder, at, repositories) {
      if (!isAbsolute(folder)) return undefined
      const around = repositoryOf(nearestFolder(folder))
      if (around !== undefined) return around
      const had = repositories.filter((root) => worktreesOf(root, at).some((tree) => isWithin(folder, tree)))
      return new Set(had).size === 1 ? had[0] : undefined
    },
  }
}

/** The nearest folder with a `.git` of any kind: a nested repository is never part of the surrounding one. */
function treeAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at
    if (dirname(at) === at) return undefined
  }
}

/**
 * Folder of git's common directory, or that directory itself if it is not in a working tree. A tree that only pretends
 * to belong to a repository counts as its own main tree.
 */
function mainTree(tree: string): string {
  const git = gitDirectoryAround(tree)
  if (git === undefined || git.worktree !== tree) return tree
  const common = real(git.common)
  return basename(common) === '.git' ? dirname(common) : common
}

/**
 * Worktrees that a repository lists and that it had at a given time. A list from an archive is newer than any
 * conversation before it was unpacked, so it cannot claim those.
 */
function worktreesOf(root: string, at: Date): string[] {
  const lists = [join(root, '.git', 'worktrees'), join(root, 'worktrees')].filter((path) => isFolder(path))
  return lists.flatMap((list) =>
    readdirSync(list).flatMap((name) => {
      const own = join(list, name)
      const made = statSync(join(own, 'commondir'), { throwIfNoEntry: false })?.birthtimeMs ?? 0
      const named = readPlainFile(join(own, 'gitdir'), LONGEST_PATH)?.toString('utf8').trim() ?? ''
      return made > 0 && made <= at.getTime() && basename(named) === '.git' ? [dirname(resolve(own, named))] : []
    }),
  )
}

const nearestFolder = (path: string): string =>
  isFolder(path) || dirname(path) === path ? path : nearestFolder(dirname(path))

const isWithin = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)

function isFolder(path: string): boolean {
  if (!isAbsolute(path)) return false
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
