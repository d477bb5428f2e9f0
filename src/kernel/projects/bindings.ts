import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { type NauroProject, readNauroRegistry } from '../domain/project/nauro-registry.ts'
import type { Claim } from '../ports/projects.ts'
import { gitDirectoryAround } from '../system/git-directory.ts'
import type { RegistryEntry } from './registry.ts'
import type { FoundConfig } from './repository-config.ts'

export interface BindingParts {
  readonly home: string
  readonly nauroHome: string
  readonly entries: () => Readonly<Record<string, RegistryEntry>>
}

/** Checks config files against the bindings the user made on this machine. */
export function openBindings({ home, nauroHome, entries }: BindingParts) {
  function claimOf(found: FoundConfig | undefined): Claim | undefined {
    if (found === undefined) return undefined
    const { config, repository, kind } = found
    const entry = entries()[config.id]
    const isBound =
      entry !== undefined
        ? isOneOf(repository, entry)
        : kind === '.nauro' && isOneOf(repository, { repo_paths: nauroProject(config.id)?.repositories ?? [] })
    // A pull may rewrite the config file; if the user bound the folder, the mode from that time is used.
    const mode = isBound && entry !== undefined ? entry.mode : config.mode
    const location =
      mode === 'repo'
        ? join(repository, '.ken', 'record')
        : (entry?.store_path ??
          (kind === '.nauro' && entry === undefined
            ? (elsewhere(config.id) ?? join(nauroHome, 'projects', config.id))
            : join(home, 'projects', config.id)))
    return {
      id: config.id,
      name: config.name,
      mode,
      repository,
      location,
      bound: isBound,
      present: (mode !== 'repo' && entry !== undefined) || existsSync(location),
      ...(config.server_url !== undefined && { server: config.server_url }),
    }
  }

  /** Location in nauro's registry; accepted only if it is an absolute path that ends in the id. */
  function elsewhere(id: string): string | undefined {
    const path = nauroProject(id)?.storePath
    return path !== undefined && isAbsolute(path) && basename(path) === id ? path : undefined
  }

  function nauroProject(id: string): NauroProject | undefined {
    const path = join(nauroHome, 'registry.json')
    if (!existsSync(path)) return undefined
    return readNauroRegistry(readFileSync(path, 'utf8')).find((project) => project.id === id)
  }

  /** A working tree of a bound repository, bound in this tree or another. */
  function boundTree(worktree: string): BoundTree | undefined {
    const found = Object.entries(entries()).find(([, entry]) => isOneOf(worktree, entry))
    return found && { id: found[0], entry: found[1], worktree }
  }

  return { claimOf, boundTree }
}

export interface BoundTree {
  readonly id: string
  readonly entry: RegistryEntry
  readonly worktree: string
}

type Bound = Pick<Readonly<RegistryEntry>, 'git_dirs'> & { readonly repo_paths: readonly string[] }

/** Whether a repository is bound, or is a worktree of a bound one, which the user created with git. */
function isOneOf(repository: string, { repo_paths: bound, git_dirs: known = [] }: Bound): boolean {
  if (bound.some((path) => real(path) === repository)) return true
  const common = commonDirectory(repository)
  return (
    common !== undefined &&
    (known.includes(common) || bound.some((path) => existsSync(path) && commonDirectory(real(path)) === common))
  )
}

/**
 * Git's common directory. Undefined unless `repository` is the root of a working tree: a folder further down does not
 * count.
 */
export function commonDirectory(repository: string): string | undefined {
  const git = gitDirectoryAround(repository)
  return git?.worktree === repository ? real(git.common) : undefined
}

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path)
