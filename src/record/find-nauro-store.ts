import { AppError } from '../kernel/domain/errors.ts'
import { isUlid } from '../kernel/domain/project/config.ts'
import { readNauroConfig, readNauroRegistry, type NauroProject } from '../kernel/domain/project/nauro-registry.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import type { RegisteredProject } from '../kernel/ports/projects.ts'
import { fromHere } from './import-source.ts'
import type { RecordNeeds } from './ports/record-needs.ts'

export interface NauroStore {
  /** The folder with project.md and decisions/. */
  readonly folder: string
  /** Undefined if the store's folder is not named after an id: the project then gets a new one. */
  readonly id: string | undefined
  readonly name: string
  readonly repositories: readonly string[]
}

/** Resolves a path to a store: a store's folder, a nauro home, or a repository bound to a nauro project. */
export async function findNauroStore(
  ctx: Call & MachineNeeds & RecordNeeds,
  path: string | undefined,
): Promise<NauroStore> {
  const place = path === undefined ? ctx.cwd : fromHere(ctx, path).replace(/[/\\]+$/, '')
  if (await isStore(ctx, place)) return describe(ctx, place)
  const registry = await ctx.files.read(`${place}/registry.json`)
  if (registry !== undefined) return onlyOne(ctx, place, readNauroRegistry(registry))
  return boundTo(ctx, place)
}

const isStore = async (ctx: Call & MachineNeeds, folder: string): Promise<boolean> =>
  (await ctx.files.read(`${folder}/project.md`)) !== undefined &&
  (await ctx.files.list(`${folder}/decisions`)) !== undefined

async function describe(ctx: Call & MachineNeeds, folder: string): Promise<NauroStore> {
  const parts = folder.split(/[/\\]/)
  const last = parts.at(-1)!
  const registry = await ctx.files.read(`${parts.slice(0, -2).join('/')}/registry.json`)
  const known = readNauroRegistry(registry ?? '').find((project) => project.id === last)
  const heading = /^# (.+)$/m.exec((await ctx.files.read(`${folder}/project.md`)) ?? '')?.[1]?.trim()
  return {
    folder,
    id: isUlid(last) ? last : undefined,
    name: known?.name ?? heading ?? last,
    repositories: known?.repositories ?? [],
  }
}

async function onlyOne(ctx: Call & MachineNeeds, home: string, projects: readonly NauroProject[]): Promise<NauroStore> {
  const [project, ...others] = projects
  if (project === undefined)
    throw new AppError('not_found', `No projects found in ${home}.`, {
      hint: 'Pass a store folder: ken import nauro <home>/projects/<id>.',
    })
  if (others.length > 0) {
    throw new AppError('invalid_input', `${home} holds ${projects.length} projects.`, {
      hint: `Pass one: ${projects.map((p) => `${home}/projects/${p.id} (${p.name})`).join(', ')}.`,
    })
  }
  return {
    folder: await existing(ctx, project.storePath ?? `${home}/projects/${project.id}`),
    id: project.id,
    name: project.name,
    repositories: project.repositories,
  }
}

/**
 * The store of the project named in the repository's config, located through the registered projects, or through the
 * journal of an earlier import.
 */
async function boundTo(ctx: Call & MachineNeeds & RecordNeeds, directory: string): Promise<NauroStore> {
  const found = await ctx.projects.claim(directory)
  const config = readNauroConfig((await ctx.files.read(`${found?.repository ?? directory}/.nauro/config.json`)) ?? '')
  if (found === undefined || config?.id !== found.id) {
    throw new AppError('not_found', 'No nauro store found here.', {
      hint: 'Pass its folder, e.g. ken import nauro ~/.nauro/projects/<id>.',
    })
  }
  const adopted = (await ctx.projects.list()).find((project) => project.id === found.id)
  const folder = adopted === undefined ? found.location : await importedFrom(ctx, adopted)
  if (folder === undefined)
    throw new AppError('conflict', `"${found.name}" is already a Ken project.`, {
      hint: 'To import more of its old store, pass that folder.',
    })
  return { folder: await existing(ctx, folder), id: found.id, name: config.name, repositories: [found.repository] }
}

async function importedFrom(ctx: Call & RecordNeeds, project: RegisteredProject): Promise<string | undefined> {
  const events = await (await ctx.record(project)).journal()
  const source = events.findLast((event) => event.operation === 'import_nauro')?.facts['source']
  return typeof source === 'string' ? source : undefined
}

async function existing(ctx: Call & MachineNeeds, folder: string): Promise<string> {
  if (await isStore(ctx, folder)) return folder
  throw new AppError('not_found', `No nauro store found in ${folder}.`, {
    hint: 'A store contains project.md and a decisions folder; pass its path if it is elsewhere.',
  })
}
