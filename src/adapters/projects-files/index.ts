import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { checkProjectName } from '../../core/project/config.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Projects, RegisteredProject } from '../../ports/projects.ts'
import { openRegistry, type RegistryEntry } from './registry.ts'
import { findConfig, removeConfig, writeConfig, type FoundConfig } from './repository-config.ts'

export interface ProjectFilesOptions {
  /** KEN_HOME. */
  readonly home: string
  /** Where a nauro installation keeps its stores, to open them as they are. */
  readonly nauroHome: string
  readonly clock: Clock
}

export function openProjectFiles({ home, nauroHome, clock }: ProjectFilesOptions): Projects {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const registry = openRegistry(home)
  const toProject = (id: string, entry: RegistryEntry): RegisteredProject => {
    const location = entry.store_path ?? defaultLocation(home, id, entry)
    return { id, name: entry.name, mode: entry.mode, location, repositories: entry.repo_paths, present: existsSync(location) }
  }
  const all = () => Object.entries(registry.read().projects).map(([id, entry]) => toProject(id, entry))

  const projects: Projects = {
    list: async () => all(),
    async find({ project, directory }) {
      const found = findConfig(real(directory))
      if (project !== undefined) return byNameOrId(all(), project) ?? unregistered(found, project)
      if (found !== undefined) return all().find((p) => p.id === found.config.id && (p.mode !== 'repo' || sameRepository(p, found))) ?? fromConfig(found, home, nauroHome)
      const here = real(directory)
      return all().find((p) => p.repositories.some((repo) => here === repo || here.startsWith(`${repo}/`)))
    },
    async create({ name, mode, repository, id = clock.ulid(), storePath }) {
      const checked = checkProjectName(name)
      const root = repository === undefined ? undefined : real(repository)
      if (root !== undefined) refuseTaken(root, all())
      const entry: RegistryEntry = { name: checked, mode, repo_paths: root === undefined ? [] : [root], ...(storePath === undefined ? {} : { store_path: real(storePath) }) }
      if (root !== undefined) writeConfig(root, { mode, id, name: checked, schema_version: 1 })
      registry.change((entries) => void (entries[id] = entry))
      return toProject(id, entry)
    },
    async bind(id, repository) {
      const root = real(repository)
      refuseTaken(root, all().filter((p) => p.id !== id))
      const known = all().find((p) => p.id === id)
      if (known === undefined) throw new AppError('not_found', `No project ${id} is registered.`, { hint: '`ken projects` lists them.' })
      writeConfig(root, { mode: known.mode, id, name: known.name, schema_version: 1 })
      registry.change((entries) => {
        const entry = entries[id]
        if (entry !== undefined && !entry.repo_paths.includes(root)) entry.repo_paths.push(root)
      })
      return all().find((p) => p.id === id)!
    },
    async unbind(id, repository) {
      const root = real(repository)
      if (findConfig(root)?.config.id === id) removeConfig(root)
      registry.change((entries) => {
        const entry = entries[id]
        if (entry !== undefined) entry.repo_paths = entry.repo_paths.filter((path) => path !== root)
      })
    },
    async remove(id) {
      registry.change((entries) => void delete entries[id])
    },
  }

  function unregistered(found: FoundConfig | undefined, project: string): RegisteredProject | undefined {
    return found !== undefined && (found.config.id === project || found.config.name === project) ? fromConfig(found, home, nauroHome) : undefined
  }
  return projects
}

/** A clone on a machine that never registered it: the record is where its mode says. */
function fromConfig({ config, repository, kind }: FoundConfig, home: string, nauroHome: string): RegisteredProject {
  const location =
    config.mode === 'repo' ? join(repository, '.ken', 'record')
    : kind === '.nauro' ? join(nauroHome, 'projects', config.id)
    : join(home, 'projects', config.id)
  return { id: config.id, name: config.name, mode: config.mode, location, repositories: [repository], present: existsSync(location) }
}

function byNameOrId(projects: readonly RegisteredProject[], query: string): RegisteredProject | undefined {
  const exact = projects.find((p) => p.id === query)
  if (exact !== undefined) return exact
  const named = projects.filter((p) => p.name === query)
  if (named.length > 1) {
    throw new AppError('conflict', `${named.length} projects are named "${query}".`, { hint: `Use an id: ${named.map((p) => p.id).join(', ')}.` })
  }
  return named[0]
}

function refuseTaken(repository: string, projects: readonly RegisteredProject[]): void {
  const taken = projects.find((p) => p.repositories.includes(repository))
  if (taken !== undefined) throw new AppError('conflict', `${repository} already belongs to the project "${taken.name}".`, { hint: 'Use it as it is, or `ken adopt --remove` first.' })
}

const defaultLocation = (home: string, id: string, entry: RegistryEntry): string =>
  entry.mode === 'repo' && entry.repo_paths[0] !== undefined ? join(entry.repo_paths[0], '.ken', 'record') : join(home, 'projects', id)

// Two clones of one repository share an id, and each has its own record.
const sameRepository = (project: RegisteredProject, found: FoundConfig): boolean => project.location.startsWith(join(found.repository, '.ken'))

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path)
