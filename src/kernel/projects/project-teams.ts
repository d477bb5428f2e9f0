import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { checkProjectName, isUlid } from '../domain/project/config.ts'
import type { ProjectRef } from '../ports/projects.ts'
import type { LinkedTeam } from '../ports/projects.ts'
import { commonDirectory } from './bindings.ts'
import { openRegistry, type RegistryEntry } from './registry.ts'
import { findConfig, writeConfig } from './repository-config.ts'

/** The team of a registered project. A config file is not sufficient: it may come with a clone. */
export const teamOf = (entry: Pick<RegistryEntry, 'mode' | 'server_url' | 'person'>): Pick<ProjectRef, 'team'> =>
  entry.mode === 'cloud' && entry.server_url !== undefined && entry.person !== undefined
    ? { team: { server: entry.server_url, person: entry.person } }
    : {}

/** Projects on this machine that are shared with a team: `registry.json`, and config files of their repositories. */
export function openProjectTeams(home: string) {
  const registry = openRegistry(home)

  function change(id: string, edit: (entry: RegistryEntry) => void): void {
    registry.change((entries) => {
      const entry = entries[id]
      if (entry === undefined)
        throw new AppError('not_found', 'Project not found on this machine.', {
          hint: 'List projects with `ken projects`.',
        })
      edit(entry)
    })
    writeConfigs(id, registry.read().projects[id]!)
  }

  return {
    link: (id: string, { server, person }: LinkedTeam): void =>
      change(id, (entry) => Object.assign(entry, { mode: 'cloud', server_url: server, person })),
    unlink: (id: string): void =>
      change(id, (entry) => {
        entry.mode = 'local'
        delete entry.server_url
        delete entry.person
      }),
    adopt(
      project: { readonly id: string; readonly name: string },
      { server, person }: LinkedTeam,
      folder: string,
    ): void {
      if (!isUlid(project.id)) throw new AppError('invalid_input', 'A project id must be a ULID.')
      refuseLeftover(join(home, 'projects', project.id))
      const root = existsSync(folder) ? realpathSync(folder) : folder
      const own = commonDirectory(root)
      const entry: RegistryEntry = {
        name: checkProjectName(project.name),
        mode: 'cloud',
        repo_paths: [root],
        server_url: server,
        person,
        unstarted: true,
        ...(own !== undefined && { git_dirs: [own] }),
      }
      registry.change((entries) => {
        const taken = Object.values(entries).find(({ repo_paths }) => repo_paths.includes(root))
        if (taken !== undefined)
          throw new AppError('conflict', `${root} already belongs to the project "${taken.name}".`, {
            hint: 'Use it as it is, or `ken adopt --remove` first.',
          })
        entries[project.id] ??= entry
      })
      writeConfigs(project.id, entry)
    },
  }
}

/**
 * Rejects a leftover record, which would be merged with the team's record, including content the team has since
 * removed.
 */
function refuseLeftover(record: string): void {
  const names = existsSync(record) ? readdirSync(record) : []
  if (!names.some((name) => name === 'journal' || name === 'decisions' || name.endsWith('.md'))) return
  throw new AppError('conflict', `A record of this project already exists in ${record}.`, {
    hint: 'Move that folder away, then attach again.',
  })
}

/** Writes config files, except in folders that name another project. */
function writeConfigs(id: string, { name, mode, repo_paths: repositories, server_url: server }: RegistryEntry): void {
  for (const repository of repositories.filter((path) => existsSync(path))) {
    const found = findConfig(repository)
    if (found?.repository === repository && found.config.id !== id) continue
    writeConfig(repository, { mode, id, name, schema_version: 1, ...(server !== undefined && { server_url: server }) })
  }
}
