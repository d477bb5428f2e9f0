import { mkdirSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { openClientFiles } from '../adapters/client-files/index.ts'
import { systemClock } from '../adapters/clock-system/index.ts'
import { diskFiles } from '../adapters/files-disk/index.ts'
import { openYamlCollections } from '../adapters/collections-yaml/index.ts'
import { openProjectFiles } from '../adapters/projects-files/index.ts'
import { secretRedactor } from '../core/secrets/redact.ts'
import { openYamlSettings } from '../adapters/settings-yaml/index.ts'
import { openTelemetryLog } from '../adapters/telemetry-log/index.ts'
import { openYamlTrust } from '../adapters/trust-yaml/index.ts'
import { CATALOGUE } from '../core/embedding/catalogue.ts'
import { AppError } from '../core/errors.ts'
import type { Context } from '../operations/context.ts'
import type { ContextProject } from '../ports/context-project.ts'
import type { Memory } from '../ports/memory.ts'
import type { ModelShelf } from '../ports/model-shelf.ts'
import type { RegisteredProject } from '../ports/projects.ts'
import type { Store } from '../ports/store.ts'
import { launcherCommand } from './launcher.ts'
import type { ContextProjects } from './open-context-project.ts'
import { modelsFolder, openEmbedders } from './open-embedders.ts'
import { openMemory } from './open-memory.ts'
import { openModels } from './open-models.ts'
import { openUpkeep } from './open-upkeep.ts'
import { workspaceRoots } from './workspace-roots.ts'
import { kenHome, nauroHome, SETTINGS, type Environment } from './settings.ts'

/** Who asks, from where, and what it hears and can be asked. */
export type Caller = Pick<Context, 'origin' | 'cwd' | 'signal' | 'confirm'> & Partial<Pick<Context, 'progress'>>

export interface Ken {
  /** A context for one caller; stores and models behind it are shared and opened when first needed. */
  context(caller: Caller): Context
  readonly home: string
  close(): Promise<void>
}

/** Puts the parts together. Opens nothing that the call at hand does not need. */
export function openKen(environment: Environment, warn: (message: string) => void): Ken {
  const home = resolve(kenHome(environment))
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const settings = openYamlSettings({ path: join(home, 'config.yml'), definitions: SETTINGS, environment, warn: once(warn) })
  const projects = openProjectFiles({ home, nauroHome: resolve(nauroHome(environment)), clock: systemClock })
  const telemetry = openTelemetryLog(join(home, 'telemetry.jsonl'), settings.get('telemetry.log').value === true, systemClock)
  const clients = openClientFiles({
    home: environment['HOME'] ?? homedir(),
    platform: platform(),
    env: environment,
    backups: join(home, 'backups'),
    now: systemClock.now,
    isTracked: async (path) => (await repositoryAround(dirname(path)))?.isTracked(path) ?? false,
  })
  const stores = new Map<string, Promise<Store>>()
  const embedders = openEmbedders({ home, settings, environment, clock: systemClock })

  const collections = openYamlCollections(join(home, 'config.yml'))
  const named = openModels(settings, environment)
  const models = { ...named, embedder: embedders.chosen }
  let memory: Promise<Memory> | undefined
  const loadMemory = () => (memory ??= openMemory({ home, projects, collections, settings, embedder: embedders.chosen, models }))

  const loadModelShelf = async (): Promise<ModelShelf> => {
    const [{ openNpmModels }, { npmRegistry }] = await Promise.all([import('../adapters/models-npm/index.ts'), import('../adapters/models-npm/npm-registry.ts')])
    return openNpmModels({ folder: modelsFolder(home), catalogue: CATALOGUE, registry: async () => String(settings.get('models.registry').value) || npmRegistry(), clock: systemClock })
  }

  let upkeep: ReturnType<typeof openUpkeep> | undefined
  const loadUpkeep = () => (upkeep ??= openUpkeep({ home, userHome: environment['HOME'] ?? homedir() }))

  const trust = openYamlTrust(join(home, 'trusted.yaml'))
  let contextProjects: Promise<ContextProjects> | undefined
  const loadContextProject = async (cwd: string): Promise<ContextProject> => {
    contextProjects ??= import('./open-context-project.ts').then(({ openContextProjects }) => openContextProjects(environment, { cache: join(home, 'cache', 'context'), trust }))
    return (await contextProjects).around(cwd)
  }

  const openRecord = (project: RegisteredProject): Promise<Store> => {
    const known = stores.get(project.location)
    if (known !== undefined) return known
    const opening = Promise.all([import('../adapters/store-files/index.ts'), import('../adapters/vectors-wasm/index.ts')]).then(([{ openFileStore }, { openVectorScan }]) =>
      openFileStore({ root: project.location, project, cacheDir: join(home, 'cache'), clock: systemClock, embedder: embedders.bundled, scan: openVectorScan }),
    )
    stores.set(project.location, opening)
    opening.catch(() => stores.delete(project.location))
    return opening
  }

  return {
    home,
    context: ({ cwd, progress, ...caller }) => ({
      ...caller,
      clock: systemClock,
      cwd,
      projects,
      settings,
      telemetry,
      files: diskFiles,
      redactor: secretRedactor,
      memory: loadMemory,
      upkeep: loadUpkeep,
      collections,
      workspaceRoots: () => workspaceRoots(cwd),
      contextProject: (folder) => loadContextProject(resolve(cwd, folder ?? '.')),
      trust,
      models,
      modelShelf: loadModelShelf,
      clients,
      launcher: launcherCommand(environment),
      repository: () => repositoryAround(cwd),
      progress: progress ?? (() => {}),
      async record(project) {
        const found = await projects.find({ directory: cwd, ...(project === undefined ? {} : { project }) })
        if (found === undefined) throw noProject(project)
        return openRecord(found)
      },
    }),
    async close() {
      await Promise.allSettled([...stores.values()].map(async (store) => (await store).close()))
      await (await contextProjects)?.close()
      await (await upkeep?.catch(() => undefined))?.close()
      await (await memory?.catch(() => undefined))?.close()
      await named.close()
      await embedders.close()
    },
  }
}

const repositoryAround = async (folder: string) => (await import('../adapters/repository-git/index.ts')).openRepository(folder)

function noProject(project: string | undefined): AppError {
  if (project !== undefined) return new AppError('not_found', `There is no project "${project}".`, { hint: '`ken projects` lists the ones this machine knows.' })
  return new AppError('not_found', 'This directory belongs to no project.', { hint: 'Run `ken init` in the repository, or name one with --project.' })
}

function once(warn: (message: string) => void): (message: string) => void {
  const told = new Set<string>()
  return (message) => {
    if (!told.has(message)) warn(message)
    told.add(message)
  }
}
