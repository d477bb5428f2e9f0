import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { isUlid, parseRepositoryConfig } from '../../kernel/domain/project/config.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import { gitDirectoryAround } from '../../kernel/system/git-directory.ts'
import { readPlainFile } from '../../kernel/system/plain-file.ts'

export interface RecordPlace {
  readonly folder: string
  /** True if the place itself names the project. */
  readonly isNamed: boolean
}

const LARGEST_CONFIG = 64 * 1024
const LARGEST_REGISTRY = 16 * 1024 * 1024

/**
 * Folders known from the user's actions on this machine: other homes, and other working trees of a repository that
 * contains its record. A project that only a config file claims is untrusted, so another home counts only if the user
 * bound this very folder there, and other trees only if git created them from this repository.
 */
export function knownPlaces(
  project: RegisteredProject,
  { home, otherHomes }: { home: string; otherHomes: readonly string[] },
): RecordPlace[] {
  const isOurs = project.absence !== 'unknown-here'
  const folders =
    project.mode === 'repo'
      ? treesOf(project, isOurs).map((tree) => ({ folder: join(tree, '.ken', 'record'), id: idIn(tree) }))
      : [home, ...otherHomes]
          .filter(
            (other) => isOurs || project.repositories.some((repository) => isBoundIn(other, project.id, repository)),
          )
          .map((other) => ({ folder: join(other, 'projects', project.id), id: project.id }))
  return folders
    .filter(({ folder, id }) => id === project.id && isRealFolder(folder) && folder !== project.location)
    .map(({ folder }) => ({ folder: realpathSync(folder), isNamed: true }))
    .filter(({ folder }, i, all) => all.findIndex((other) => other.folder === folder) === i)
}

/** The record at a path that the user named. */
export function namedPlace(named: string, project: RegisteredProject): RecordPlace {
  if (!isAbsolute(named) || lstatSync(named, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new AppError('not_found', `${named} is not a folder.`, {
      hint: 'Use a real folder; links are not followed.',
    })
  const top = realpathSync(named)
  const inside = [
    join(top, 'projects', project.id),
    join(top, project.id),
    join(top, '.ken', 'record'),
    ...(existsSync(join(top, 'decisions')) ? [top] : []),
  ].find((folder) => isRealFolder(folder) && isRealFolder(dirname(folder)))
  if (inside === undefined)
    throw new AppError('not_found', `No record of project ${project.id} in ${top}.`, {
      hint: 'Use a folder with `decisions/`, a Ken home, or a repository with .ken/record.',
    })
  const id = isUlid(basename(inside)) ? basename(inside) : idIn(dirname(dirname(inside)), inside)
  if (id !== undefined && id !== project.id)
    throw new AppError('conflict', `The record in ${inside} belongs to another project (${id}).`, {
      hint: `This one is ${project.id}. To use that one instead, run \`ken attach\`.`,
    })
  return { folder: inside, isNamed: id === project.id }
}

/** The other working trees that the user bound, and the working trees that git keeps for this repository. */
function treesOf(project: RegisteredProject, isOurs: boolean): string[] {
  const here = dirname(dirname(project.location))
  const git = gitDirectoryAround(real(here))
  const linked = git === undefined ? [] : worktreesOf(real(git.common))
  return [...(isOurs ? project.repositories : []), ...linked].filter((tree) => tree !== here)
}

/** Working trees whose links agree in both directions: `.git` may come from an archive and name any folder. */
function worktreesOf(common: string): string[] {
  const names = existsSync(join(common, 'worktrees')) ? readdirSync(join(common, 'worktrees')) : []
  const named = names.flatMap((name) => {
    const path = readPlainFile(join(common, 'worktrees', name, 'gitdir'), LARGEST_CONFIG)
      ?.toString('utf8')
      .trim()
    return path === undefined || !isAbsolute(path) ? [] : [dirname(path)]
  })
  return [dirname(common), ...named].filter((tree) => {
    const git = existsSync(tree) ? gitDirectoryAround(real(tree)) : undefined
    return git?.worktree === real(tree) && real(git.common) === common
  })
}

/** The id that a tree's config file claims; `record` must be the record of that tree. */
function idIn(tree: string, record = join(tree, '.ken', 'record')): string | undefined {
  if (record !== join(tree, '.ken', 'record')) return undefined
  const path = join(tree, '.ken', 'config.json')
  try {
    return parseRepositoryConfig(readPlainFile(path, LARGEST_CONFIG)?.toString('utf8') ?? '', path).id
  } catch {
    return undefined
  }
}

function isBoundIn(home: string, id: string, repository: string): boolean {
  try {
    const text = readPlainFile(join(home, 'registry.json'), LARGEST_REGISTRY)?.toString('utf8') ?? '{}'
    const paths: unknown = JSON.parse(text)?.projects?.[id]?.repo_paths
    return Array.isArray(paths) && paths.includes(repository)
  } catch {
    return false
  }
}

const isRealFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/** The real path of a file that may not exist yet, resolved through its existing part. */
export function realPlace(path: string): string {
  if (existsSync(path) || dirname(path) === path) return real(path)
  return join(realPlace(dirname(path)), basename(path))
}
