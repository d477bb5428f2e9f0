import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { AppError } from '../../../core/errors.ts'
import { checkProjectName } from '../../../core/project/config.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Claim, Projects, RegisteredProject } from '../../../ports/projects.ts'
import { openBindings } from './bindings.ts'
import { openRegistry, type RegistryEntry } from './registry.ts'
import { findConfig, removeConfig, writeConfig } from './repository-config.ts'

export interface ProjectFilesOptions {
  /** KEN_HOME. */
  readonly home: string
  /** Where a nauro installation keeps its stores, to open them as they are. */
  readonly nauroHome: string
  readonly clock: Clock
}

/** The projects this machine knows: the registry in Ken's folder and the bindings in repositories. */
export function openProjectFiles({ home, nauroHome, clock }: ProjectFilesOptions): Projects {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const registry = openRegistry(home)
  const { claimOf } = openBindings({ home, nauroHome, entries: () => registry.read().projects })
  const toProject = (id: string, entry: RegistryEntry): RegisteredProject => {
    const location = entry.store_path ?? defaultLocation(home, id, entry)
    return {
      id,
      name: entry.name,
      mode: entry.mode,
      location,
      repositories: entry.repo_paths,
      present: existsSync(location),
    }
  }
  const all = () => Object.entries(registry.read().projects).map(([id, entry]) => toProject(id, entry))
  const registered = (id: string) => all().find((p) => p.id === id)

  /** The project of a folder by what its config file says, as far as that goes. */
  function claimed(claim: Claim): RegisteredProject {
    const known = registered(claim.id)
    if (claim.mode === 'repo')
      return {
        ...claim,
        name: claim.bound ? (known?.name ?? claim.name) : claim.name,
        repositories: [claim.repository],
        ...(!claim.bound && { fromClone: true }),
      }
    if (claim.bound) return known ?? { ...claim, repositories: [claim.repository] }
    if (claim.present) throw unbound(claim)
    return { ...claim, repositories: [claim.repository] }
  }

  function byName(claim: Claim | undefined, query: string): RegisteredProject | undefined {
    const found = byNameOrId(all(), query)
    const isHere =
      claim !== undefined && (claim.id === (found?.id ?? query) || (found === undefined && claim.name === query))
    if (isHere && (found === undefined || claim.mode === 'repo')) return claimed(claim)
    if (found?.mode !== 'repo') return found
    const trees = found.repositories.filter((repository) => existsSync(join(repository, '.ken', 'record')))
    if (trees.length > 1)
      throw new AppError('conflict', `"${found.name}" has a record in each of ${trees.length} working trees.`, {
        hint: `Run this in the one you mean: ${trees.join(', ')}.`,
      })
    return found
  }

  return {
    list: async () => all(),
    async find({ project, directory }) {
      const here = real(directory)
      const claim = claimOf(findConfig(here))
      if (project !== undefined) return byName(claim, project)
      if (claim !== undefined) return claimed(claim)
      return all().find((p) => p.repositories.some((repo) => here === repo || here.startsWith(repo + sep)))
    },
    claim: async (directory) => claimOf(findConfig(real(directory))),
    async create({ name, mode, repository, id = clock.ulid(), storePath }) {
      const checked = checkProjectName(name)
      const root = repository === undefined ? undefined : real(repository)
      if (root !== undefined) refuseTaken(root, all())
      const entry: RegistryEntry = {
        name: checked,
        mode,
        repo_paths: root === undefined ? [] : [root],
        ...(storePath === undefined ? {} : { store_path: real(storePath) }),
      }
      if (root !== undefined) writeConfig(root, { mode, id, name: checked, schema_version: 1 })
      registry.change((entries) => void (entries[id] = entry))
      return toProject(id, entry)
    },
    async bind({ id, name, mode, location }, repository) {
      const root = real(repository)
      refuseTaken(
        root,
        all().filter((p) => p.id !== id),
      )
      const known = registered(id)
      const own = findConfig(root)
      if (own?.repository !== root || own.kind !== '.ken' || own.config.id !== id)
        writeConfig(root, { mode: known?.mode ?? mode, id, name: known?.name ?? name, schema_version: 1 })
      registry.change((entries) => {
        const isElsewhere = mode !== 'repo' && location !== join(home, 'projects', id)
        const entry = (entries[id] ??= { name, mode, repo_paths: [], ...(isElsewhere && { store_path: location }) })
        if (!entry.repo_paths.includes(root)) entry.repo_paths.push(root)
      })
      return claimed(claimOf(findConfig(root))!)
    },
    async unbind(id, repository, config = 'remove') {
      const root = real(repository)
      if (config === 'remove' && findConfig(root)?.config.id === id) removeConfig(root)
      registry.change((entries) => {
        const entry = entries[id]
        if (entry !== undefined) entry.repo_paths = entry.repo_paths.filter((path) => path !== root)
      })
    },
    async remove(id) {
      registry.change((entries) => void delete entries[id])
    },
  }
}

function byNameOrId(projects: readonly RegisteredProject[], query: string): RegisteredProject | undefined {
  const exact = projects.find((p) => p.id === query)
  if (exact !== undefined) return exact
  const named = projects.filter((p) => p.name === query)
  if (named.length > 1) {
    throw new AppError('conflict', `${named.length} projects are named "${query}".`, {
      hint: `Use an id: ${named.map((p) => p.id).join(', ')}.`,
    })
  }
  return named[0]
}

function refuseTaken(repository: string, projects: readonly RegisteredProject[]): void {
  const taken = projects.find((p) => p.repositories.includes(repository))
  if (taken !== undefined)
    throw new AppError('conflict', `${repository} already belongs to the project "${taken.name}".`, {
      hint: 'Use it as it is, or `ken adopt --remove` first.',
    })
}

const unbound = ({ repository, name, id }: Claim): AppError =>
  new AppError(
    'forbidden',
    `${repository} says that it belongs to the project "${name}" (${id}), but you did not bind it to that project here, so nothing of it was read.`,
    {
      hint: 'If this folder is yours, run `ken attach` in it; if it came from somebody else, delete its .ken/config.json.',
    },
  )

/** Of several working trees the first that is still there. */
function defaultLocation(home: string, id: string, entry: RegistryEntry): string {
  if (entry.mode !== 'repo' || entry.repo_paths.length === 0) return join(home, 'projects', id)
  const records = entry.repo_paths.map((repository) => join(repository, '.ken', 'record'))
  return records.find((record) => existsSync(dirname(record))) ?? records[0]!
}

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path)
