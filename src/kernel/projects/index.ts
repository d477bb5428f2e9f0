import { existsSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { checkProjectName, type RepositoryConfig } from '../domain/project/config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Claim, Projects, RegisteredProject } from '../ports/projects.ts'
import { gitDirectoryAround } from '../system/git-directory.ts'
import { commonDirectory, openBindings, type BoundTree } from './bindings.ts'
import { teamOf } from './project-teams.ts'
import { recordAbsence } from './record-absence.ts'
import { openRegistry, type RegistryEntry } from './registry.ts'
import { findConfig, removeConfig, writeConfig } from './repository-config.ts'

export interface ProjectFilesOptions {
  /** KEN_HOME. */
  readonly home: string
  /** Folder in which a nauro installation keeps its stores, to open them in place. */
  readonly nauroHome: string
  readonly clock: Clock
}

/** Projects on this machine: the registry in Ken's folder and the bindings in repositories. */
export function openProjectFiles({ home, nauroHome, clock }: ProjectFilesOptions): Projects {
  const registry = openRegistry(home)
  const { claimOf, boundTree } = openBindings({ home, nauroHome, entries: () => registry.read().projects })
  /** Adds whether the project's record is present. */
  const looked = (project: Omit<RegisteredProject, 'present' | 'absence'>, isBound = true): RegisteredProject => {
    const absence = recordAbsence(project.location, join(home, 'records'))
    if (absence === undefined) return { ...project, present: true }
    return { ...project, present: false, absence: isBound ? absence : 'unknown-here' }
  }
  const toProject = (id: string, { name, mode, repo_paths, ...entry }: RegistryEntry): RegisteredProject => {
    const location = entry.store_path ?? defaultLocation(home, id, { mode, repo_paths })
    const project = looked({ id, name, mode, location, repositories: repo_paths, ...teamOf({ mode, ...entry }) })
    return entry.unstarted === true && !project.present ? { ...project, absence: 'unstarted' } : project
  }
  const all = () => Object.entries(registry.read().projects).map(([id, entry]) => toProject(id, entry))
  const registered = (id: string) => all().find((p) => p.id === id)

  /** The project of a folder according to its config file. */
  function claimed({ bound, present, repository, server: _server, ...claim }: Claim): RegisteredProject {
    const known = registered(claim.id)
    if (bound && known?.location === claim.location) return known
    const own = { ...claim, repositories: [repository] }
    if (claim.mode === 'repo')
      return looked(
        { ...own, name: bound ? (known?.name ?? claim.name) : claim.name, ...(!bound && { fromClone: true }) },
        bound,
      )
    if (!bound && present) throw unbound({ ...claim, repository })
    return (bound ? known : undefined) ?? looked(own, bound)
  }

  /** Project of a working tree without a config file: its branch has none, or it is not committed yet. */
  function ofTree({ id, entry, worktree }: BoundTree): RegisteredProject {
    const isCarrier = entry.mode === 'repo' && existsSync(join(worktree, '.ken'))
    return isCarrier
      ? looked({
          id,
          name: entry.name,
          mode: entry.mode,
          location: join(worktree, '.ken', 'record'),
          repositories: [worktree],
        })
      : toProject(id, entry)
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
        hint: `Run this in the right one: ${trees.join(', ')}.`,
      })
    return found
  }

  /** Unregistered record in Ken's folder. */
  function forgottenRecord(id: string): RegisteredProject | undefined {
    if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id) || registered(id) !== undefined) return undefined
    const found = toProject(id, { name: '', mode: 'local', repo_paths: [] })
    return found.present ? found : undefined
  }

  return {
    list: async () => all(),
    async find({ project, directory, forgotten }) {
      const here = real(directory)
      const claim = claimOf(findConfig(here))
      if (project !== undefined) return byName(claim, project) ?? (forgotten ? forgottenRecord(project) : undefined)
      const worktree = gitDirectoryAround(here)?.worktree
      if (claim !== undefined && (worktree === undefined || isWithin(claim.repository, worktree))) return claimed(claim)
      // A config file above the working tree belongs to another folder.
      const tree = worktree === undefined ? undefined : boundTree(worktree)
      if (tree !== undefined) return ofTree(tree)
      if (claim !== undefined) return claimed(claim)
      return all().find((p) => p.repositories.some((repo) => isWithin(here, repo)))
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
        unstarted: true,
        ...(storePath === undefined ? {} : { store_path: real(storePath) }),
        ...(root !== undefined && withGitDirectory([], root)),
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
        writeConfig(root, { ...configOf({ id, name, mode }, known), schema_version: 1 })
      registry.change((entries) => {
        const isElsewhere = mode !== 'repo' && location !== join(home, 'projects', id)
        const entry = (entries[id] ??= { name, mode, repo_paths: [], ...(isElsewhere && { store_path: location }) })
        if (!entry.repo_paths.includes(root)) entry.repo_paths.push(root)
        Object.assign(entry, withGitDirectory(entry.git_dirs ?? [], root))
      })
      return claimed(claimOf(findConfig(root))!)
    },
    async unbind(id, repository, config = 'remove') {
      const root = real(repository)
      if (config === 'remove' && findConfig(root)?.config.id === id) removeConfig(root)
      registry.change((entries) => {
        const entry = entries[id]
        if (entry === undefined) return
        entry.repo_paths = entry.repo_paths.filter((path) => path !== root)
        const own = commonDirectory(root)
        const isShared = entry.repo_paths.some((path) => commonDirectory(real(path)) === own)
        if (entry.git_dirs !== undefined && !isShared) entry.git_dirs = entry.git_dirs.filter((path) => path !== own)
      })
    },
    async started(id, location) {
      registry.change((entries) => {
        const entry = entries[id]
        if (entry === undefined) return
        delete entry.unstarted
        if (location !== undefined) entry.store_path = real(location)
      })
    },
    async remove(id, record = 'keep') {
      const known = registered(id)
      const isOwn = known?.location === join(home, 'projects', id)
      if (record === 'delete' && known !== undefined && !isOwn) throw keptElsewhere(known)
      registry.change((entries) => void delete entries[id])
      if (record === 'keep' || known === undefined) return
      for (const root of known.repositories) if (findConfig(root)?.config.id === id) removeConfig(root)
      rmSync(known.location, { recursive: true, force: true })
    },
  }
}

/** Config file content; names a server if the repository is bound to a team's record. */
const configOf = (
  { id, name, mode }: Pick<RegisteredProject, 'id' | 'name' | 'mode'>,
  known: RegisteredProject | undefined,
): Omit<RepositoryConfig, 'schema_version'> => ({
  mode: known?.mode ?? mode,
  id,
  name: known?.name ?? name,
  ...(known?.team && { server_url: known.team.server }),
})

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

const keptElsewhere = ({ name, location }: RegisteredProject): AppError =>
  new AppError('conflict', `The record of "${name}" is not in Ken's folder, so it was not deleted: ${location}.`, {
    hint: 'Forget the project without --delete-record, then delete that folder yourself.',
  })

function refuseTaken(repository: string, projects: readonly RegisteredProject[]): void {
  const taken = projects.find((p) => p.repositories.includes(repository))
  if (taken !== undefined)
    throw new AppError('conflict', `${repository} already belongs to the project "${taken.name}".`, {
      hint: 'Use it as it is, or `ken adopt --remove` first.',
    })
}

function withGitDirectory(known: readonly string[], root: string): Pick<RegistryEntry, 'git_dirs'> {
  const own = commonDirectory(root)
  return own === undefined ? {} : { git_dirs: [...new Set([...known, own])] }
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)

const unbound = ({ repository, id }: Pick<Claim, 'repository' | 'id'>): AppError =>
  new AppError(
    'forbidden',
    `${repository} claims project ${id} but is not bound to it on this machine, so nothing was read.`,
    {
      hint: 'If this folder is yours, run `ken attach` in it; otherwise delete its .ken/config.json.',
      details: { unbound: true },
    },
  )

/** Location of a record; with several working trees, the first that still exists. */
function defaultLocation(home: string, id: string, entry: Pick<RegistryEntry, 'mode' | 'repo_paths'>): string {
  if (entry.mode !== 'repo' || entry.repo_paths.length === 0) return join(home, 'projects', id)
  const records = entry.repo_paths.map((repository) => join(repository, '.ken', 'record'))
  return records.find((record) => existsSync(dirname(record))) ?? records[0]!
}

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path)
